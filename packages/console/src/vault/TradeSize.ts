/** The most that a bot may trade at once, as a part of its vault. */

/** US dollars that are the most where the vault's value is unknown, and never exceeded by a proposal. */
export const largestSize = "10000"

export const smallestSize = 10

/** Percent of its vault that a threshold bot trades at a time. */
export const tradeShare = 5

/** Percent of its vault that a run of an index trades: a run has several trades. */
export const runShare = 20

/** Returns the most at once that suits a vault: a part of its value in a round number; the largest where it is unknown. */
export const sizeFor = (vaultUsd: number | null | undefined, share = tradeShare): string => {
  if (vaultUsd === null || vaultUsd === undefined || vaultUsd <= 0) return largestSize
  const part = vaultUsd * share / 100
  const unit = 10 ** Math.floor(Math.log10(part))
  return String(Math.min(Number(largestSize), Math.max(smallestSize, Math.floor(part / unit) * unit)))
}
