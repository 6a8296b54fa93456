/** When credentials were last used, and which managers set bots: shown by getWalletAuthority. */
export const authorityViewSchema: ReadonlyArray<string> = [
  // Written at most once a minute per row, in batches; null: not since this column exists.
  `alter table api_keys add column used_at timestamptz`,
  `alter table sessions add column used_at timestamptz`,
  `alter table manager_wallets add column used_at timestamptz`,

  // The manager who set the bot in the console; null for the wallet's key.
  `alter table threshold_bots add column set_by evm_address`,
  `alter table index_bots add column set_by evm_address`
]
