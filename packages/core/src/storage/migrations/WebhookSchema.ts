/**
 * Outgoing webhooks and their outbox. Triggers write the events in the transaction that causes them, so no code path
 * that ends an intent or pauses a bot can omit one, and a rolled-back change causes none.
 */
export const webhookSchema: ReadonlyArray<string> = [
  `create table webhooks (
    id uuid primary key,
    -- Whose it is: a wallet's, or a manager's, for every wallet in the manager's list.
    wallet evm_address references gas_wallets (address),
    manager evm_address references managers (address),
    url text not null check (length(url) <= 2000),
    events jsonb not null check (jsonb_typeof(events) = 'array'),
    -- The signing secret, under the key-encryption key.
    ciphertext text not null,
    created_at timestamptz not null default now(),
    check ((wallet is null) <> (manager is null))
  )`,
  `create unique index webhooks_of_wallet on webhooks (wallet, url) where wallet is not null`,
  `create unique index webhooks_of_manager on webhooks (manager, url) where manager is not null`,

  `create table webhook_events (
    id uuid primary key,
    type text not null,
    wallet evm_address not null,
    data jsonb not null,
    created_at timestamptz not null default now()
  )`,
  `create index webhook_events_old on webhook_events (created_at)`,

  `create table webhook_deliveries (
    id uuid primary key,
    webhook uuid not null references webhooks (id) on delete cascade,
    event uuid not null references webhook_events (id) on delete cascade,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    attempts integer not null default 0,
    next_attempt_at timestamptz not null default now(),
    -- What the last attempt came to: an HTTP status, or why there is none.
    last_status integer,
    last_error text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (webhook, event)
  )`,
  `create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'pending'`,
  `create index webhook_deliveries_of_webhook on webhook_deliveries (webhook, created_at desc)`,

  `create function webhook_tell(kind text, of_wallet text, said jsonb) returns void language plpgsql as $$
    declare told uuid := gen_random_uuid();
    begin
      if not exists (select 1 from webhooks) then return; end if;
      insert into webhook_events (id, type, wallet, data)
        select told, kind, of_wallet, said where exists (select 1 from webhooks w where w.events @> to_jsonb(kind)
          and (w.wallet = of_wallet or w.manager in (select m.manager from manager_wallets m where m.wallet = of_wallet)));
      if not found then return; end if;
      insert into webhook_deliveries (id, webhook, event)
        select gen_random_uuid(), w.id, told from webhooks w where w.events @> to_jsonb(kind)
          and (w.wallet = of_wallet or w.manager in (select m.manager from manager_wallets m where m.wallet = of_wallet));
    end $$`,

  // A reorg reverts an outcome: the webhooks that received it receive that, too.
  `create function intents_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell(
        case when new.status in ('succeeded', 'failed') then 'intent.' || new.status else 'intent.reopened' end,
        new.wallet,
        jsonb_build_object('intent_id', new.id, 'endpoint', new.endpoint, 'network', new.network, 'pool', new.pool, 'gasWallet', new.wallet,
          'tx_hash', new.tx_hash, 'error_type', new.outcome -> 'failure' -> 'errorType',
          'message', coalesce(new.outcome ->> 'message', new.outcome -> 'failure' ->> 'message')));
      return null;
    end $$`,
  `create trigger intents_tell after update of status on intents for each row
    when ((old.status in ('succeeded', 'failed')) <> (new.status in ('succeeded', 'failed'))) execute function intents_tell()`,

  `create function threshold_bots_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell('bot.paused', new.wallet, jsonb_build_object('kind', 'threshold', 'network', new.network, 'pool', new.pool,
        'gasWallet', new.wallet, 'pair', new.pair, 'reason', new.paused_reason));
      return null;
    end $$`,
  `create trigger threshold_bots_tell after update of paused_reason on threshold_bots for each row
    when (old.paused_reason is null and new.paused_reason is not null) execute function threshold_bots_tell()`,

  `create function index_bots_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell('bot.paused', new.wallet, jsonb_build_object('kind', 'index', 'network', new.network, 'pool', new.pool,
        'gasWallet', new.wallet, 'pair', null, 'reason', new.paused_reason));
      return null;
    end $$`,
  `create trigger index_bots_tell after update of paused_reason on index_bots for each row
    when (old.paused_reason is null and new.paused_reason is not null) execute function index_bots_tell()`
]
