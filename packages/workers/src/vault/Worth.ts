/** What quantities are worth by the vault's own oracle, for holding them to limits. */

/** USD with 18 decimals, rounded up, of an amount in smallest units at a price in USD (18 decimals) per whole token. */
export const worthOf = (amount: bigint, price: bigint, decimals: number): bigint => {
  const whole = 10n ** BigInt(decimals)
  return (amount * price + whole - 1n) / whole
}

/** The same, where the oracle may have no price: null then, which a key's USD limits refuse. Never 0. */
export const worthOrUnknown = (amount: bigint, price: bigint | null, decimals: number): bigint | null =>
  price === null || price === 0n ? null : worthOf(amount, price, decimals)
