/** Indexes for the caps of a vault, which count the trades of its removed followers and deleted guardians, too. */
export const vaultCapSchema: ReadonlyArray<string> = [
  `create index vault_followers_of_vault on vault_followers (network, pool)`,
  `create index vault_guardians_of_vault on vault_guardians (network, pool, kind)`
]
