/** Followers of vaults, their trades and their history. */
export const followerSchema: ReadonlyArray<string> = [
  `create table vault_followers (
    id uuid primary key,
    network text not null,
    pool evm_address not null,
    leader evm_address not null,
    wallet evm_address not null references gas_wallets (address),
    key_id uuid not null references api_keys (id),
    terms jsonb not null,
    state text not null default 'following' check (state in ('following', 'stopped')),
    memory jsonb not null,
    revision integer not null default 0,
    step integer not null default 0,
    open_intent uuid,
    failures integer not null default 0,
    reason text not null,
    stopped_at timestamptz,
    checked_at timestamptz,
    next_check timestamptz not null default now(),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    ended_at timestamptz,
    check (leader <> pool),
    check (terms ->> 'leader' = leader),
    check ((state = 'following') = (stopped_at is null)),
    check ((ended_at is not null) <= (open_intent is null)),
    check ((open_intent is not null) <= (state = 'following'))
  )`,
  // A vault follows one leader.
  `create unique index vault_followers_one on vault_followers (network, pool) where ended_at is null`,
  `create index vault_followers_due on vault_followers (network, next_check)
    where ended_at is null and state = 'following'`,
  `create index vault_followers_of_leader on vault_followers (network, leader) where ended_at is null`,
  `create index vault_followers_of_wallet on vault_followers (wallet)`,

  `create table vault_follower_trades (
    follower_id uuid not null references vault_followers (id),
    step integer not null,
    intent_id uuid not null unique,
    trade jsonb not null,
    usd18 numeric not null,
    state text not null default 'in_progress' check (state in ('in_progress', 'succeeded', 'failed')),
    tx_hash text,
    message text,
    begun_at timestamptz not null default now(),
    ended_at timestamptz,
    primary key (follower_id, step),
    check ((state = 'in_progress') = (ended_at is null))
  )`,
  `create index vault_follower_trades_begun on vault_follower_trades (follower_id, begun_at)`,

  `create table vault_follower_events (
    id bigint generated always as identity primary key,
    follower_id uuid not null references vault_followers (id),
    kind text not null,
    reason text not null,
    at timestamptz not null default now()
  )`,
  `create index vault_follower_events_of_follower on vault_follower_events (follower_id, id)`,

  `create function vault_followers_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell('follower.' || new.kind, f.wallet, jsonb_build_object('follower_id', f.id,
        'network', f.network, 'pool', f.pool, 'leader', f.leader, 'gasWallet', f.wallet, 'message', new.reason))
        from vault_followers f where f.id = new.follower_id;
      return null;
    end $$`,
  `create trigger vault_followers_tell after insert on vault_follower_events for each row
    when (new.kind in ('stopped', 'failed')) execute function vault_followers_tell()`
]
