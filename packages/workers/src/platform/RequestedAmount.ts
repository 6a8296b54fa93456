/** Converts the size of a request, an amount or a share, to smallest units. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { Whole } from "@vault-trader/core/failure/FundsReason"
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"

/** A share in percent, or an amount in human units. A share wins over an amount; neither means everything. */
interface Size {
  readonly share?: number | undefined
  readonly amount?: BigDecimal.BigDecimal | undefined
}

/** Returns the requested amount in smallest units; `undefined` when a share applies. */
export const exact = ({ amount, share }: Size, { decimals }: Token): bigint | undefined =>
  share !== undefined || amount === undefined ? undefined : Quantity.toRaw(amount, decimals)

/**
 * Returns the requested amount, or the requested share of `whole`, in smallest units. Refuses zero and more than
 * `whole`, which is the quantity `of`.
 */
export const upTo = (
  size: Size,
  token: Token,
  whole: bigint,
  of: Whole = "balance"
): Effect.Effect<bigint, ExecutionFailure> => {
  const amount = exact(size, token) ?? Quantity.percentOf(whole, size.share ?? 100)
  if (amount > 0n && amount <= whole) return Effect.succeed(amount)
  const { decimals, symbol } = token
  const held = Quantity.format(whole, decimals)
  return explain(
    amount === 0n
      ? { _tag: "ShareRoundsToZero", of, held, symbol }
      : { _tag: "AmountTooLarge", of, held, needed: Quantity.format(amount, decimals), symbol }
  )
}
