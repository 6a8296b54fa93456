/** What a wallet's keys may do at most, and what its intents of a day are worth. */
export const keyLimitSchema: ReadonlyArray<string> = [
  // One row a wallet, from the first limit on: it is never deleted, so `revision` tells two states apart for good.
  `create table key_limits (
    wallet evm_address primary key references gas_wallets (address),
    -- A list of "network/address"; null allows every vault, an empty list none.
    vaults jsonb check (jsonb_typeof(vaults) = 'array'),
    -- USD with 18 decimals; null is off.
    max_usd18_per_trade numeric(78, 0) check (max_usd18_per_trade >= 0),
    max_usd18_per_day numeric(78, 0) check (max_usd18_per_day >= 0),
    read_only boolean not null default false,
    revision integer not null default 1,
    updated_at timestamptz not null default now()
  )`,

  // One row an intent, however often it is planned. What a failed intent had counts no more: its status says so.
  `create table key_spending (
    intent_id uuid primary key references intents (id) on delete cascade,
    wallet evm_address not null references gas_wallets (address),
    day date not null,
    usd18 numeric(78, 0) not null check (usd18 >= 0)
  )`,
  `create index key_spending_of_day on key_spending (wallet, day)`
]
