/** The terms of an order as the form holds them, the API's parameters that they are, and those of an order that is lost. */
import { defaultSlippage } from "@vault-trader/core/perpetual/Perpetual"
import { unansweredOf } from "../connection/RpcConnection.ts"
import type { Params } from "../connection/Unanswered.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import type { OrderParams, OrderPlan } from "./Perpetuals.ts"

export interface Terms {
  readonly coin: string
  readonly side: "buy" | "sell"
  readonly unit: "usd" | "size"
  readonly size: string
  readonly kind: "market" | "limit"
  readonly price: string
  readonly tif: "gtc" | "ioc" | "alo"
  readonly slippage: string
  readonly isReducing: boolean
}

export const paramsOf = ({ coin, isReducing, kind, price, side, size, slippage, tif, unit }: Terms): OrderParams => ({
  ...{ coin, side, [unit]: size.trim() },
  ...(kind === "limit" ? { price: price.trim(), tif } : { slippage: slippage.trim() }),
  ...(isReducing ? { reduce_only: true } : {})
})

export const newTerms = (coin: string): Terms => ({
  ...{ coin, side: "buy", unit: "usd", size: "", kind: "market", price: "", tif: "gtc", isReducing: false },
  slippage: String(defaultSlippage)
})

/**
 * Returns the terms of an order whose answer was lost: the price and the size that were sent, which have to stay. The
 * closing of a whole position has no size, and is not placed here.
 */
const lostTerms = ({ coin = "", price = "", reduce_only, side, size = "", tif = "" }: Params): Terms => ({
  ...{ coin, side: side === "sell" ? "sell" : "buy", unit: "size", size, kind: "limit", price },
  ...{ tif: tif === "ioc" || tif === "alo" ? tif : "gtc", isReducing: reduce_only === "true" },
  slippage: String(defaultSlippage)
})

/** Finds the order of a vault whose answer was lost. */
export const lostOrderOf = ({ network, pool, wallet }: VaultRef) => {
  const lost = unansweredOf("placePerpetualOrder", { network, pool, wallet })
  return lost?.["size"] === undefined ? undefined : lostTerms(lost)
}

export const isEqual = (one: Terms, other: Terms): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns a plan with exactly the price and the size that were sent, however the service writes them now. */
export const asSent = (plan: OrderPlan, lost: Terms | undefined, terms: Terms): OrderPlan =>
  lost !== undefined && isEqual(lost, terms) ? { ...plan, limit_price: lost.price, size: lost.size } : plan
