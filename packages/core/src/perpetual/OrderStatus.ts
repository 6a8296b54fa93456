/** Interprets HyperCore's state of an order as the outcome of a request. */
import type { Hex } from "../chain/Address.ts"

/** An order as HyperCore returns it. Sizes in coins and prices in USD, decimal text. */
export interface OrderState {
  readonly oid: number
  readonly cloid: Hex | null
  readonly coin: string
  readonly side: "buy" | "sell"
  readonly price: string
  /** Original size. */
  readonly size: string
  /** Open size. */
  readonly remaining: string
  /** HyperCore's status: open, filled, canceled, iocCancelRejected, … */
  readonly status: string
}

/**
 * `open`: it rests. `filled`: fully filled, or partly filled and no longer resting. `refused`: it was not accepted,
 * nothing was traded. `cancelled`: it rested and is gone, nothing was traded.
 */
export type Verdict =
  | { readonly _tag: "open" }
  | { readonly _tag: "filled" }
  | { readonly _tag: "cancelled" }
  | { readonly _tag: "refused"; readonly sentence: string }

const sentences: Readonly<Record<string, string>> = {
  badAloPxRejected: "it would have been filled at once, and alo orders may only rest",
  iocCancelRejected: "nothing could be filled at its price at once",
  marketOrderNoLiquidityRejected: "there are no offers on the other side",
  minTradeNtlRejected: "it is worth less than 10 USD",
  openInterestIncreaseRejected: "HyperCore allows no more open interest in this contract for now",
  oracleRejected: "its price is too far from the oracle's",
  perpMarginRejected: "the vault's margin at HyperCore does not cover it",
  perpMaxPositionRejected: "the position would be larger than HyperCore allows",
  positionFlipAtOpenInterestCapRejected: "HyperCore allows no more open interest in this contract for now",
  positionIncreaseAtOpenInterestCapRejected: "HyperCore allows no more open interest in this contract for now",
  reduceOnlyRejected: "it would not have reduced a position",
  tickRejected: "its price is not valid for this contract",
  tooAggressiveAtOpenInterestCapRejected: "HyperCore allows no more open interest in this contract for now"
}

/** Returns the meaning of a status. `traded`: something was traded. */
export const of = ({ status }: Pick<OrderState, "status">, traded: boolean): Verdict => {
  if (status === "open" || status === "triggered") return { _tag: "open" }
  if (status === "filled" || traded) return { _tag: "filled" }
  if (isRejected(status)) return { _tag: "refused", sentence: sentences[status] ?? `HyperCore reports ${status}` }
  return { _tag: "cancelled" }
}

const isRejected = (status: string) => /rejected$/i.test(status)

/** Checks by the order itself whether a part of it was traded. For a rejected order only its fills could show that. */
export const isTraded = ({ remaining, size, status }: Pick<OrderState, "remaining" | "size" | "status">): boolean =>
  status === "filled" || (!isRejected(status) && Number(remaining) < Number(size))
