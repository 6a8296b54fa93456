/** Which line of the core's ledger of money is whose: two requests for the same amount are two lines, and neither is told by the other's. */
export const perpetualSchema: ReadonlyArray<string> = [
  // One row a deposit or withdrawal that was told; kept as long as its intent.
  `create table perpetual_moves (
    intent_id uuid primary key references intents (id),
    network text not null,
    pool evm_address not null,
    entry text not null,
    unique (network, pool, entry)
  )`
]
