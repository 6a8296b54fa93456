/** Index bots, one per vault, and their runs. */
export const indexBotSchema: ReadonlyArray<string> = [
  `create table index_bots (
    network text not null,
    pool evm_address not null,
    wallet evm_address not null references gas_wallets (address),
    key_id uuid not null references api_keys (id),
    targets jsonb not null check (jsonb_typeof(targets) = 'array'),
    quote jsonb not null,
    interval_seconds integer not null check (interval_seconds >= 60),
    -- USD with 18 decimals.
    max_usd18 numeric(78, 0) not null check (max_usd18 > 0),
    min_trade_usd18 numeric(78, 0) not null check (min_trade_usd18 > 0),
    tolerance double precision not null check (tolerance between 0 and 100),
    slippage double precision not null check (slippage > 0 and slippage <= 5),
    platform text not null,
    enabled boolean not null,
    paper boolean not null,
    failures integer not null default 0,
    paused_reason text,
    last_decision text,
    last_decided_at timestamptz,
    next_run_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (network, pool)
  )`,
  `create index index_bots_due on index_bots (next_run_at) where enabled and paused_reason is null`,
  `create index index_bots_of_wallet on index_bots (wallet)`,

  `create table index_runs (
    id uuid primary key,
    network text not null,
    pool evm_address not null,
    wallet evm_address not null references gas_wallets (address),
    key_id uuid not null references api_keys (id),
    reason text not null check (reason in ('scheduled', 'asked')),
    quote jsonb not null,
    force boolean not null,
    paper boolean not null,
    cap18 numeric(78, 0) not null,
    spent18 numeric(78, 0) not null default 0,
    state text not null default 'running' check (state in ('running', 'done', 'failed')),
    planned jsonb,
    total_usd18 numeric(78, 0),
    legs jsonb not null default '[]',
    message text,
    failure jsonb,
    started_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    ended_at timestamptz,
    check ((state = 'running') = (ended_at is null)),
    foreign key (network, pool) references index_bots (network, pool)
  )`,
  // A vault never has two runs at once.
  `create unique index index_runs_one_running on index_runs (network, pool) where state = 'running'`,
  `create index index_runs_of_vault on index_runs (network, pool, id desc)`,

  // The run that a caller's idempotency key names.
  `create table index_run_keys (
    wallet evm_address not null,
    idempotency_key text not null,
    run_id uuid not null references index_runs (id),
    request jsonb not null,
    created_at timestamptz not null default now(),
    primary key (wallet, idempotency_key)
  )`,
  `create index index_run_keys_age on index_run_keys (created_at)`,
  `create index index_run_keys_of_run on index_run_keys (run_id)`
]
