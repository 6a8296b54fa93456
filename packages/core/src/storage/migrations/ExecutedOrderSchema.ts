/** The index of an account's executed orders of a pair, which positions of bots with a bracket are read from. */
export const executedOrderSchema: ReadonlyArray<string> = [
  `create index exchange_orders_executed on exchange_orders (account_id, symbol, id)
    where status = 'closed' and filled > 0`
]
