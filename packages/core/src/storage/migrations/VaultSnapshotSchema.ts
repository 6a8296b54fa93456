/** The price of a vault's token, at most one row a day. */
export const vaultSnapshotSchema: ReadonlyArray<string> = [
  `create table vault_snapshots (
    network text not null,
    pool evm_address not null,
    at timestamptz not null default now(),
    -- USD with 18 decimals.
    token_price numeric(78, 0) not null check (token_price > 0),
    primary key (network, pool, at)
  )`
]
