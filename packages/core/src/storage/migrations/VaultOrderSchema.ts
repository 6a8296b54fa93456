/** Orders of vaults, their slices and their history. */
export const vaultOrderSchema: ReadonlyArray<string> = [
  `create table vault_orders (
    id uuid primary key,
    network text not null,
    pool evm_address not null,
    wallet evm_address not null references gas_wallets (address),
    key_id uuid not null references api_keys (id),
    idempotency_key text,
    -- The parameters as they were placed, for comparison with a repeat.
    request jsonb not null,
    terms jsonb not null,
    paper boolean not null,
    state text not null default 'open'
      check (state in ('open', 'triggered', 'cancelling', 'done', 'cancelled', 'expired')),
    progress jsonb not null,
    total numeric check (total > 0),
    sold numeric not null default 0 check (sold >= 0),
    bought numeric not null default 0 check (bought >= 0),
    revision integer not null default 0,
    slice integer not null default 0,
    open_intent uuid,
    open_amount numeric check (open_amount > 0),
    failures integer not null default 0,
    reason text not null,
    starts_at timestamptz not null,
    expires_at timestamptz not null,
    next_check timestamptz not null default now(),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    ended_at timestamptz,
    check ((state in ('done', 'cancelled', 'expired')) = (ended_at is not null)),
    check ((open_intent is null) = (open_amount is null)),
    check ((ended_at is not null) <= (open_intent is null)),
    -- A triggered order keeps its trigger, and is never open again.
    check ((state = 'triggered') <= (progress -> 'trigger' <> 'null'::jsonb))
  )`,
  `create index vault_orders_due on vault_orders (network, next_check) where ended_at is null`,
  `create index vault_orders_of_vault on vault_orders (network, pool, id desc)`,
  `create index vault_orders_of_wallet on vault_orders (wallet, id desc)`,
  `create index vault_orders_named on vault_orders (created_at, id) where idempotency_key is not null`,
  `create trigger take_idempotency_key before insert on vault_orders for each row when (new.idempotency_key is not
    null) execute function take_idempotency_key()`,
  `create trigger release_idempotency_key after update of idempotency_key on vault_orders for each row
    when (old.idempotency_key is not null and new.idempotency_key is null) execute function release_idempotency_key()`,

  `create table vault_order_slices (
    order_id uuid not null references vault_orders (id),
    slice integer not null,
    intent_id uuid not null unique,
    amount numeric not null check (amount > 0),
    state text not null default 'in_progress' check (state in ('in_progress', 'succeeded', 'failed')),
    sold numeric,
    bought numeric,
    tx_hash text,
    message text,
    begun_at timestamptz not null default now(),
    ended_at timestamptz,
    primary key (order_id, slice),
    check ((state = 'in_progress') = (ended_at is null))
  )`,
  // An order has one slice at a time.
  `create unique index vault_order_slices_one_in_progress on vault_order_slices (order_id) where state = 'in_progress'`,

  `create table vault_order_events (
    id bigint generated always as identity primary key,
    order_id uuid not null references vault_orders (id),
    kind text not null,
    reason text not null,
    at timestamptz not null default now()
  )`,
  `create index vault_order_events_of_order on vault_order_events (order_id, id)`
]
