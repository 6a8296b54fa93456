/** Indexes for lists of orders and signals by wallet, which are long after years. */
export const listIndexSchema: ReadonlyArray<string> = [
  `create index signals_wallet_state on signals (wallet, state, id)`,
  `create index vault_orders_wallet on vault_orders (wallet, id)`,
  `create index exchange_orders_wallet_pair on exchange_orders (wallet, pair, id)`,
  `create index exchange_orders_wallet_subaccount on exchange_orders (wallet, subaccount, id)`
]
