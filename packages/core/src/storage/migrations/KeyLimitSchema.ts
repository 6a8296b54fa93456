/** The limits of a wallet's keys, and the daily value of its intents. */
export const keyLimitSchema: ReadonlyArray<string> = [
  // One row per wallet, from its first limit on. It is never deleted, so `revision` distinguishes any two states.
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

  // One row per intent, however often it is planned. The amount of a failed intent does not count, by its status.
  `create table key_spending (
    intent_id uuid primary key references intents (id) on delete cascade,
    wallet evm_address not null references gas_wallets (address),
    day date not null,
    usd18 numeric(78, 0) not null check (usd18 >= 0)
  )`,
  `create index key_spending_of_day on key_spending (wallet, day)`
]
