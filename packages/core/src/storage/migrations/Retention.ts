/** Indexes that keep every statement's work the size of what is open, or of one page, however much history lies beside it. */
export const retentionSchema: ReadonlyArray<string> = [
  // What retention walks: the oldest ended submissions, and the oldest idempotency keys.
  `create index submissions_ended on submissions (updated_at, key) where status in ('final', 'refused', 'superseded')`,
  `create index intents_named on intents (created_at, id) where idempotency_key is not null`,

  // How much of a wallet's accepted work is open, counted before more of it is accepted.
  `create index intents_unfinished_of_wallet on intents (wallet) where status in ('accepted', 'submitted')`,

  // A page of a wallet's intents on one network or vault, whatever else the wallet has done since.
  `create index intents_of_wallet_on_network on intents (wallet, network, id desc)`,
  `create index intents_of_wallet_on_vault on intents (wallet, pool, id desc)`
]
