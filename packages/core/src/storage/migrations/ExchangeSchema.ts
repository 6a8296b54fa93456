/** Accounts at exchanges, their bots and the ledger of their orders; and candles. */
export const exchangeSchema: ReadonlyArray<string> = [
  // The customer's exchange credentials are encrypted, as private keys are.
  `create table exchange_accounts (
    id uuid primary key,
    manager evm_address not null,
    exchange text not null,
    name text not null,
    wallet evm_address not null references gas_wallets (address),
    payment_network text not null,
    settings jsonb not null,
    ciphertext text not null,
    created_at timestamptz not null default now(),
    unique (wallet, name),
    unique (manager, name)
  )`,
  `create table exchange_bots (
    id uuid primary key,
    account_id uuid not null references exchange_accounts (id) on delete cascade,
    pair text not null,
    symbol text not null,
    side text not null check (side in ('long', 'neutral', 'hold')),
    strategy text not null,
    max_usd numeric not null check (max_usd > 0),
    share double precision not null check (share > 0 and share <= 100),
    active boolean not null default true,
    paused_reason text,
    failures integer not null default 0,
    revision integer not null default 0,
    rest numeric not null default 0,
    owed numeric not null default 0,
    last_decision jsonb,
    last_order uuid,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (account_id, symbol)
  )`,
  `create index exchange_bots_active on exchange_bots (account_id) where active`,
  // The ledger; its rows outlive bots and accounts.
  `create table exchange_orders (
    id uuid primary key,
    account_id uuid not null,
    bot_id uuid not null,
    wallet evm_address not null references gas_wallets (address),
    exchange text not null,
    subaccount text not null,
    pair text not null,
    symbol text not null,
    revision integer not null,
    request jsonb,
    idempotency_key text,
    status text not null default 'accepted' check (status in ('accepted', 'decided', 'sending', 'closed', 'held', 'refused', 'lost')),
    side text check (side in ('buy', 'sell')),
    amount numeric check (amount > 0),
    limit_price numeric check (limit_price > 0),
    usd numeric,
    client_id text,
    exchange_order_id text,
    filled numeric check (filled >= 0),
    cost numeric,
    fees jsonb,
    message text,
    failure jsonb,
    charge_usd numeric(20, 6),
    sent_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (account_id, client_id),
    check ((status in ('decided', 'sending')) <= (client_id is not null and amount is not null)),
    check ((status = 'closed') <= (filled is not null)),
    check ((status = 'refused') = (failure is not null))
  )`,
  // One open order per account: a decision during an open order would use balances that are about to change.
  `create unique index exchange_orders_one_under_way on exchange_orders (account_id) where status in ('decided', 'sending')`,
  `create unique index exchange_orders_one_accepted on exchange_orders (bot_id) where status = 'accepted'`,
  `create unique index exchange_orders_idempotency on exchange_orders (wallet, idempotency_key) where idempotency_key is not null`,
  `create index exchange_orders_unfinished on exchange_orders (account_id) where status in ('accepted', 'decided', 'sending')`,
  `create index exchange_orders_of_wallet on exchange_orders (wallet, id desc)`,

  `create table candles (
    exchange text not null,
    symbol text not null,
    timeframe text not null,
    time bigint not null,
    open double precision not null,
    high double precision not null,
    low double precision not null,
    close double precision not null,
    volume double precision not null,
    primary key (exchange, symbol, timeframe, time)
  )`,
  // The stretch of a series that is complete: candles that began at covered_from or later and before covered_to. Unix
  // milliseconds.
  `create table candle_series (
    exchange text not null,
    symbol text not null,
    timeframe text not null,
    covered_from bigint not null,
    covered_to bigint not null,
    primary key (exchange, symbol, timeframe),
    check (covered_from <= covered_to)
  )`
]
