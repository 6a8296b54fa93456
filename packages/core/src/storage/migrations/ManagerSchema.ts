/** Managers, the wallets in their lists, the vaults wallets are linked to, and the signatures that were used. */
export const managerSchema: ReadonlyArray<string> = [
  `create table managers (
    address evm_address primary key,
    created_at timestamptz not null default now()
  )`,

  `create table manager_wallets (
    manager evm_address not null references managers (address),
    wallet evm_address not null references gas_wallets (address),
    label text check (length(label) between 1 and 64),
    created_at timestamptz not null default now(),
    primary key (manager, wallet)
  )`,
  `create index manager_wallets_of_wallet on manager_wallets (wallet)`,

  // Links belong to the wallet, so they survive a change of its key.
  `create table vault_links (
    wallet evm_address not null references gas_wallets (address),
    network text not null,
    pool evm_address not null,
    protocol text not null,
    created_at timestamptz not null default now(),
    primary key (wallet, network, pool)
  )`,

  // The manager who set a wallet's limits may raise them again; with null only the operator may.
  `alter table key_limits add column manager evm_address`,

  `create table manager_nonces (
    manager evm_address not null,
    nonce text not null check (length(nonce) <= 64),
    expires_at timestamptz not null,
    primary key (manager, nonce)
  )`,
  `create index manager_nonces_expired on manager_nonces (expires_at)`
]
