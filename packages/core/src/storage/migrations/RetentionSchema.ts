/**
 * Indexes that bound the work of every statement by the open rows or by one page, regardless of the size of the
 * history.
 */
export const retentionSchema: ReadonlyArray<string> = [
  // For retention: the oldest ended submissions, and the oldest idempotency keys.
  `create index submissions_ended on submissions (updated_at, key) where status in ('final', 'refused', 'superseded')`,
  `create index intents_named on intents (created_at, id) where idempotency_key is not null`,

  // For counting a wallet's open intents before another one is accepted.
  `create index intents_unfinished_of_wallet on intents (wallet) where status in ('accepted', 'submitted')`,

  // For a page of a wallet's intents on one network or vault, regardless of its newer intents elsewhere.
  `create index intents_of_wallet_on_network on intents (wallet, network, id desc)`,
  `create index intents_of_wallet_on_vault on intents (wallet, pool, id desc)`
]
