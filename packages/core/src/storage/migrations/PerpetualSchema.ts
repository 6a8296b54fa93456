/** Maps each entry of HyperCore's ledger to the intent it settles, so that two equal amounts are never confused. */
export const perpetualSchema: ReadonlyArray<string> = [
  // One row per settled deposit or withdrawal; kept as long as its intent.
  `create table perpetual_moves (
    intent_id uuid primary key references intents (id),
    network text not null,
    pool evm_address not null,
    entry text not null,
    unique (network, pool, entry)
  )`
]
