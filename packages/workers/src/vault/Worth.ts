/** Values of quantities by the vault's own oracle, for comparison with limits. */

/**
 * Returns USD with 18 decimals, rounded up, for an amount in smallest units at a price in USD (18 decimals) per whole
 * token.
 */
export const worthOf = (amount: bigint, price: bigint, decimals: number): bigint => {
  const whole = 10n ** BigInt(decimals)
  return (amount * price + whole - 1n) / whole
}

/** The same, but null where the oracle has no price, which a key's USD limits refuse. Never 0 for a missing price. */
export const worthOrUnknown = (amount: bigint, price: bigint | null, decimals: number): bigint | null =>
  price === null || price === 0n ? null : worthOf(amount, price, decimals)
