/** Gas levels of wallets at the last check, and the transfers that refilled some of them. */
export const gasLevelSchema: ReadonlyArray<string> = [
  `create table gas_levels (
    network text not null,
    wallet evm_address not null,
    low boolean not null,
    wei numeric(78, 0) not null,
    updated_at timestamptz not null default now(),
    primary key (network, wallet)
  )`,

  // Each is committed with a submission of the funder's lane under the key "<id>/topup", which the lane sends exactly
  // once.
  `create table top_ups (
    id uuid primary key,
    network text not null,
    wallet evm_address not null,
    funder evm_address not null,
    wei numeric(78, 0) not null check (wei > 0),
    usd18 numeric(78, 0) not null check (usd18 >= 0),
    created_at timestamptz not null default now()
  )`,
  `create index top_ups_of_wallet on top_ups (network, wallet, created_at)`,
  `create index top_ups_of_day on top_ups (created_at)`
]
