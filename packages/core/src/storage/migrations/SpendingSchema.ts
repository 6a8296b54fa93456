/** Sums a wallet's sales of a day, on chains and at exchanges. */
export const spendingSchema: ReadonlyArray<string> = [
  // The day (UTC) an order counts for: the day of its decision, or of its sending once it is sent.
  `alter table exchange_orders add column spent_on date`,
  `update exchange_orders set spent_on = (created_at at time zone 'utc')::date where status in ('decided', 'sending', 'closed')`,
  `create index exchange_orders_of_day on exchange_orders (wallet, spent_on) where spent_on is not null`,

  // A failed intent has sold nothing; it counts again if a reorg reverts its failure. An order counts in full until its
  // outcome is known, then by its executed part.
  `create view spending as
    select s.wallet, s.day, s.intent_id as id, s.usd18
      from key_spending s join intents i on i.id = s.intent_id where i.status <> 'failed'
    union all
    select o.wallet, o.spent_on, o.id, ceil(o.usd * case when o.status = 'closed' then least(1, o.filled / o.amount) else 1 end * 1e18)
      from exchange_orders o where o.spent_on is not null and o.status in ('decided', 'sending', 'closed')`
]
