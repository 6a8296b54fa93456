/** What the core says of an order, read as what became of a request. */
import type { Hex } from "../chain/Address.ts"

/** An order as the core tells it. Sizes in coins and prices in USD, decimal text. */
export interface OrderState {
  readonly oid: number
  readonly cloid: Hex | null
  readonly coin: string
  readonly side: "buy" | "sell"
  readonly price: string
  /** As it was sent. */
  readonly size: string
  /** What of it is still open. */
  readonly remaining: string
  /** In the core's words: open, filled, canceled, iocCancelRejected, … */
  readonly status: string
}

/**
 * `open`: it rests. `filled`: all of it, or, of one that rests no more, a part. `refused`: it was not taken, nothing of it was traded.
 * `cancelled`: it rested and is gone, nothing of it was traded.
 */
export type Verdict =
  | { readonly _tag: "open" }
  | { readonly _tag: "filled" }
  | { readonly _tag: "cancelled" }
  | { readonly _tag: "refused"; readonly sentence: string }

const sentences: Readonly<Record<string, string>> = {
  badAloPxRejected: "it would have been filled at once, and alo orders only rest",
  iocCancelRejected: "nothing could be filled at its price at once",
  marketOrderNoLiquidityRejected: "nobody offers anything",
  minTradeNtlRejected: "it is worth less than 10 USD",
  openInterestIncreaseRejected: "the core lets nobody open more of this contract for now",
  oracleRejected: "its price is too far from the oracle's",
  perpMarginRejected: "the vault's margin at the core does not cover it",
  perpMaxPositionRejected: "the position would be larger than the core allows",
  positionFlipAtOpenInterestCapRejected: "the core lets nobody open more of this contract for now",
  positionIncreaseAtOpenInterestCapRejected: "the core lets nobody open more of this contract for now",
  reduceOnlyRejected: "it would not have reduced a position",
  tickRejected: "its price is none this contract can have",
  tooAggressiveAtOpenInterestCapRejected: "the core lets nobody open more of this contract for now"
}

/** What a status means. `filled`: whether anything was traded. */
export const of = ({ status }: Pick<OrderState, "status">, traded: boolean): Verdict => {
  if (status === "open" || status === "triggered") return { _tag: "open" }
  if (status === "filled" || traded) return { _tag: "filled" }
  if (isRejected(status)) return { _tag: "refused", sentence: sentences[status] ?? `the core says ${status}` }
  return { _tag: "cancelled" }
}

const isRejected = (status: string) => /rejected$/i.test(status)

/** Whether something of it was traded, as far as the order itself tells. Of one that was never taken only its fills could say so. */
export const isTraded = ({ remaining, size, status }: Pick<OrderState, "remaining" | "size" | "status">): boolean =>
  status === "filled" || (!isRejected(status) && Number(remaining) < Number(size))
