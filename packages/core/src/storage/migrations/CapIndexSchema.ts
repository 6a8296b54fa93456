/**
 * Indexes for the caps of a vault, which count the trades of its removed followers and deleted guardians, too, and for
 * the comparison of an account's orders with its exchange.
 */
export const capIndexSchema: ReadonlyArray<string> = [
  `create index vault_followers_of_vault on vault_followers (network, pool)`,
  `create index vault_guardians_of_vault on vault_guardians (network, pool, kind)`,
  `create index exchange_orders_of_pair on exchange_orders (account_id, symbol, id)`
]
