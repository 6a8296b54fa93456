/**
 * The bots of each part of a network's vaults, in the order in which the watch reads them. Without it a page reads the
 * bots of every part and network, so that the cost of a round grows with the square of the bots.
 */
export const botPartSchema: ReadonlyArray<string> = [
  `create index threshold_bots_part on threshold_bots (network, (abs(hashtext(pool) % 4)), id)
    where active and side <> 'hold'`,
  `drop index threshold_bots_due`
]
