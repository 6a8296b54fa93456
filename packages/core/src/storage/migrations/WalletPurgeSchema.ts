/** Wallets that were created here and never used: their keys ended, and their private keys stay sealed. */
export const walletPurgeSchema: ReadonlyArray<string> = [
  // Null for a wallet in use. A purged wallet has no API key; importing its private key ends the purge.
  `alter table gas_wallets add column purged_at timestamptz`,
  // The last time that a wallet without rows was found to hold something on a chain.
  `alter table gas_wallets add column purge_checked_at timestamptz`,
  `create index gas_wallets_created_here on gas_wallets (created_at, address) where purged_at is null and imported = false`
]
