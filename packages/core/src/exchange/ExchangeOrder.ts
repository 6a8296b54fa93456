/**
 * One turn of an exchange bot: the decision, the order it led to, and the result at the exchange. Its id is the
 * intent's.
 */
import type * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { ErrorType } from "../failure/Failure.ts"
import { show } from "./ExchangeDecision.ts"
import { pairOf } from "./Exchanges.ts"

/**
 * The status of a turn. `accepted`: not decided yet. `decided`: the order is committed, not sent. `sending`: it may
 * have reached the exchange. Final: `closed` (the exchange reported how much was filled), `held` (nothing to do),
 * `refused` (by the exchange or a limit; nothing was filled), `lost` (it never reached the exchange and is too old to
 * reach it now).
 */
export const OrderStatus = Schema.Literals(["accepted", "decided", "sending", "closed", "held", "refused", "lost"])
export type OrderStatus = typeof OrderStatus.Type
export const isOver = (status: OrderStatus): boolean =>
  status !== "accepted" && status !== "decided" && status !== "sending"

export const Fee = Schema.Struct({ currency: Schema.String, amount: Schema.String })
export type Fee = typeof Fee.Type

const Failure = Schema.Struct({ errorType: ErrorType, message: Schema.String })

/** A turn's row. Quantities are exact decimals in human units: amounts in the base, cost in the quote. */
export const ExchangeOrder = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  botId: Schema.String,
  wallet: Address,
  exchange: Schema.String,
  subaccount: Schema.String,
  pair: Schema.String,
  symbol: Schema.String,
  revision: Schema.Int,
  idempotencyKey: Schema.NullOr(Schema.String),
  status: OrderStatus,
  side: Schema.NullOr(Schema.Literals(["buy", "sell"])),
  amount: Schema.NullOr(Schema.BigDecimalFromString),
  limit: Schema.NullOr(Schema.BigDecimalFromString),
  /** The id we give the order, known to the exchange before it assigns `exchangeOrderId`. */
  clientId: Schema.NullOr(Schema.String),
  exchangeOrderId: Schema.NullOr(Schema.String),
  filled: Schema.NullOr(Schema.BigDecimalFromString),
  cost: Schema.NullOr(Schema.BigDecimalFromString),
  fees: Schema.NullOr(Schema.Array(Fee)),
  message: Schema.NullOr(Schema.String),
  failure: Schema.NullOr(Failure),
  /** The charge in USD; null when nothing was executed. */
  chargeUsd: Schema.NullOr(Schema.BigDecimalFromString),
  sentAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date,
  updatedAt: Schema.Date
}).annotate({ identifier: "ExchangeOrder" })
export type ExchangeOrder = typeof ExchangeOrder.Type

/**
 * Returns the client order id: derived from the intent's id, 26 letters and digits, a form every supported exchange
 * accepts.
 */
export const clientIdOf = (id: string): string =>
  `v${BigInt(`0x${id.replaceAll("-", "")}`).toString(36).padStart(25, "0")}`

/** Returns the id of the intent that a client order id was derived from; undefined for the id of another order. */
export const idOfClientId = (clientId: string): string | undefined => {
  if (!/^v[0-9a-z]{25}$/.test(clientId)) return undefined
  const value = Array.from(clientId.slice(1)).reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
  const id = value.toString(16).padStart(32, "0").replace(/^(.{8})(.{4})(7.{3})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
  return id.length === 36 ? id : undefined
}

/** A caller's request to set a bot at an exchange. */
interface SideRequest {
  readonly subaccount: string
  readonly pair: string
  readonly side: string
  readonly strategy: string
  readonly share: number
  readonly maxUsd: BigDecimal.BigDecimal
  readonly takeProfit?: number | null | undefined
  readonly stopLoss?: number | null | undefined
}

/** Builds the form of a request stored with its order, which distinguishes a repeat from a different request. */
export const requestOf = (
  { maxUsd, pair, share, side, stopLoss = null, strategy, subaccount, takeProfit = null }: SideRequest
) => ({
  subaccount,
  pair: pairOf(pair),
  side,
  strategy,
  share,
  max_usd: show(maxUsd),
  take_profit: takeProfit,
  stop_loss: stopLoss
})

/** Compares a stored request with another, ignoring the order of members. A member that it lacks is null. */
export const sameRequest = (one: unknown, other: ReturnType<typeof requestOf>): boolean => {
  const stored = new Map(typeof one === "object" && one !== null ? Object.entries(one) : [])
  return Object.entries(other).every(([key, value]) => (stored.get(key) ?? null) === value)
}
