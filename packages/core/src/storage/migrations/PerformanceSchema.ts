/** The values of vaults over time, and what is sampled next. */
export const performanceSchema: ReadonlyArray<string> = [
  `create table vault_sampling (
    network text not null,
    pool evm_address not null,
    -- The next slot to sample; null until the first one.
    next_slot timestamptz,
    -- The next slot of the past to fill, later ones first; null when that is done.
    backfill_slot timestamptz,
    backfill_until timestamptz,
    created_at timestamptz not null default now(),
    primary key (network, pool)
  )`,
  `create table vault_values (
    network text not null,
    pool evm_address not null,
    slot timestamptz not null,
    interval_seconds integer not null check (interval_seconds > 0),
    -- Why there is no sample; then all values are null.
    reason text,
    at timestamptz,
    block bigint,
    block_hash evm_hash,
    -- USD with 18 decimals; vault tokens with 18 decimals.
    value_usd numeric(78, 0) check (value_usd >= 0),
    supply numeric(78, 0) check (supply >= 0),
    owed numeric(78, 0) check (owed >= 0),
    details jsonb,
    -- False while a reorg can remove the block: such a sample is in no figure.
    final boolean not null,
    -- True once retention has chosen it as its day's sample.
    daily boolean not null default false,
    primary key (network, pool, slot),
    check ((reason is null) = (value_usd is not null)),
    check (num_nulls(at, block, block_hash, value_usd, supply, owed, details) in (0, 7))
  )`,
  `create index vault_values_not_final on vault_values (network, block) where not final`,
  `create index vault_values_to_thin on vault_values (slot, network, pool) where not daily`
]

/** The ended intents of a vault, of all wallets, in order. */
export const vaultLedgerSchema: ReadonlyArray<string> = [
  `create index intents_ended_of_vault on intents (network, pool, id) where status in ('succeeded', 'failed')`
]
