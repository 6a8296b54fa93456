/** The size of a write as callers give it: a share of a balance, an amount, both or neither. */
import type * as BigDecimal from "effect/BigDecimal"

interface SizeParams {
  /** Percent of the balance. */
  readonly share?: number | undefined
  /** In human units of the asset. */
  readonly amount?: BigDecimal.BigDecimal | undefined
}

/**
 * Returns the request's size. A share wins: the amount is dropped, so a repeat with another amount is the same request.
 * Omits undefined members: a repeat is compared with the row, which has none.
 */
export const of = ({ amount, share }: SizeParams) =>
  share !== undefined ? { share } : amount === undefined ? {} : { amount }
