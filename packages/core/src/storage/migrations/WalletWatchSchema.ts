/** The state of the checks that compare gas wallets and their vaults with the chain. */
export const walletWatchSchema: ReadonlyArray<string> = [
  `create table balance_observations (
    network text not null,
    wallet evm_address not null references gas_wallets (address),
    -- Balance and transaction count at a block; every fall of the balance before it is explained or was reported.
    block bigint not null check (block >= 0),
    nonce bigint not null check (nonce >= 0),
    wei numeric(78, 0) not null check (wei >= 0),
    -- A later observation that is judged once the receipts of the transactions before it are recorded.
    next_block bigint,
    next_nonce bigint,
    next_wei numeric(78, 0),
    updated_at timestamptz not null default now(),
    primary key (network, wallet),
    check ((next_block is null) = (next_nonce is null) and (next_block is null) = (next_wei is null))
  )`,
  `create table wallet_codes (
    network text not null,
    wallet evm_address not null references gas_wallets (address),
    -- The code at the wallet's address; 0x without any. Every other code has been reported.
    code evm_hex not null,
    read_at timestamptz not null default now(),
    primary key (network, wallet)
  )`,
  // The last block of each network whose vault events were compared with the ledger.
  `create table vault_event_cursors (
    network text primary key,
    block bigint not null check (block >= 0),
    updated_at timestamptz not null default now()
  )`
]
