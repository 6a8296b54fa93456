/** The platform's vaults and their managers, from its events. All rows can be read from the chain again. */
export const vaultIndexSchema: ReadonlyArray<string> = [
  `create table vault_index (
    network text not null,
    pool evm_address not null,
    manager_logic evm_address not null,
    manager evm_address not null,
    -- Of the event that told of it, or of the look that found it.
    block bigint not null check (block >= 0),
    primary key (network, pool)
  )`,
  `create index vault_index_of_manager on vault_index (network, manager)`,
  `create index vault_index_of_logic on vault_index (network, manager_logic)`,
  `create index vault_index_of_block on vault_index (network, block)`,

  // Events up to this block are in the table and can no longer be reorganized.
  `create table vault_index_reach (
    network text primary key,
    block bigint not null check (block >= 0)
  )`
]
