/**
 * The networks on which a manager has authority: a contract wallet only on its own network, an account on all of them.
 */
export const authoritySchema: ReadonlyArray<string> = [
  // "any": the manager is an account. Contract wallets of the previous version have "any" rows too, and must associate
  // again to act on their network.
  `alter table manager_wallets add column network text not null default 'any'`,
  `alter table manager_wallets drop constraint manager_wallets_pkey`,
  `alter table manager_wallets add primary key (manager, wallet, network)`,

  `alter table sign_ins add column chain_id bigint`,

  // Null: an account's session. Sessions of the previous version may be a contract wallet's on any network, so they
  // end.
  `alter table sessions add column network text`,
  `delete from sessions`
]
