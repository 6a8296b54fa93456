/** Splits an amount among the vaults of a group. */
import * as BigDecimal from "effect/BigDecimal"
import * as Quantity from "../chain/Quantity.ts"

/** More than any token has, so that holdings of tokens with different decimals are compared exactly. */
const scale = 36

/**
 * Returns each part in human units, rounded down to the token's decimals where the vault is: together the parts are never
 * more than the amount. A part is null where the weight is not known: its share of the amount goes to no other vault.
 */
export const splitBy = (
  amount: BigDecimal.BigDecimal,
  parts: ReadonlyArray<{ readonly weight: BigDecimal.BigDecimal; readonly decimals: number | null }>
): ReadonlyArray<BigDecimal.BigDecimal | null> => {
  const weights = parts.map(({ weight }) => Quantity.toRaw(weight, scale))
  const sum = weights.reduce((total, weight) => total + weight, 0n)
  return parts.map(({ decimals }, index) =>
    decimals === null || sum === 0n
      ? null
      : BigDecimal.make(Quantity.toRaw(amount, decimals) * (weights[index] ?? 0n) / sum, decimals)
  )
}
