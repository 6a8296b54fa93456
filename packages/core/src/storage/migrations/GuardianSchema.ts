/** Guardians of vaults, their actions and their history. */
export const guardianSchema: ReadonlyArray<string> = [
  `create table vault_guardians (
    id uuid primary key,
    network text not null,
    pool evm_address not null,
    kind text not null check (kind in ('health_factor', 'loss_breaker', 'oracle', 'gas')),
    wallet evm_address not null references gas_wallets (address),
    key_id uuid not null references api_keys (id),
    terms jsonb not null,
    paper boolean not null,
    state text not null default 'armed' check (state in ('armed', 'acting', 'tripped')),
    memory jsonb not null,
    revision integer not null default 0,
    step integer not null default 0,
    open_intent uuid,
    failures integer not null default 0,
    reason text not null,
    tripped_at timestamptz,
    checked_at timestamptz,
    next_check timestamptz not null default now(),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    ended_at timestamptz,
    -- True while bots and orders of the vault may begin nothing.
    holds boolean generated always as (ended_at is null and not paper
      and (state = 'acting' or (kind = 'oracle' and state = 'tripped'))) stored,
    check (terms ->> '_tag' = kind),
    check ((state = 'armed') = (tripped_at is null)),
    check ((ended_at is not null) <= (open_intent is null)),
    check ((open_intent is not null) <= (state = 'acting'))
  )`,
  `create unique index vault_guardians_one on vault_guardians (network, pool, kind) where ended_at is null`,
  // Guardians of one vault act one at a time.
  `create unique index vault_guardians_one_action on vault_guardians (network, pool) where open_intent is not null`,
  `create index vault_guardians_due on vault_guardians (network, next_check) where ended_at is null`,
  `create index vault_guardians_holding on vault_guardians (network, pool) where holds`,
  `create index vault_guardians_of_wallet on vault_guardians (wallet)`,

  // A switch that a loss breaker has set: it belongs to the wallet's owner, and does not stop guardians.
  `alter table kill_switches add column by_guardian boolean not null default false
    check (not by_guardian or set_by = 'owner')`,

  `create table vault_guardian_actions (
    guardian_id uuid not null references vault_guardians (id),
    step integer not null,
    intent_id uuid not null unique,
    action jsonb not null,
    state text not null default 'in_progress' check (state in ('in_progress', 'succeeded', 'failed')),
    tx_hash text,
    message text,
    begun_at timestamptz not null default now(),
    ended_at timestamptz,
    primary key (guardian_id, step),
    check ((state = 'in_progress') = (ended_at is null))
  )`,

  `create table vault_guardian_events (
    id bigint generated always as identity primary key,
    guardian_id uuid not null references vault_guardians (id),
    kind text not null,
    reason text not null,
    at timestamptz not null default now()
  )`,
  `create index vault_guardian_events_of_guardian on vault_guardian_events (guardian_id, id)`,

  `create function vault_guardians_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell('guardian.' || new.kind, g.wallet, jsonb_build_object('guardian_id', g.id, 'kind', g.kind,
        'network', g.network, 'pool', g.pool, 'gasWallet', g.wallet, 'paper', g.paper, 'message', new.reason))
        from vault_guardians g where g.id = new.guardian_id;
      return null;
    end $$`,
  `create trigger vault_guardians_tell after insert on vault_guardian_events for each row
    when (new.kind in ('tripped', 'cleared', 'failed')) execute function vault_guardians_tell()`
]
