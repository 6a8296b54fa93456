/** One turn of an exchange bot: what was decided, the order it led to, and what the exchange made of it. Its id is the intent's. */
import type * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { ErrorType } from "../failure/Failure.ts"
import { show } from "./ExchangeDecision.ts"
import { pairOf } from "./Exchanges.ts"

/**
 * `accepted`: to be decided. `decided`: the order is committed, not sent. `sending`: it may have reached the exchange. Then final: `closed` (the
 * exchange has said how much of it was filled), `held` (there was nothing to do), `refused` (the exchange or a limit said no; nothing was
 * filled), `lost` (it never reached the exchange and is too old to do so any more).
 */
export const OrderStatus = Schema.Literals(["accepted", "decided", "sending", "closed", "held", "refused", "lost"])
export type OrderStatus = typeof OrderStatus.Type
export const isOver = (status: OrderStatus): boolean => status !== "accepted" && status !== "decided" && status !== "sending"

export const Fee = Schema.Struct({ currency: Schema.String, amount: Schema.String })
export type Fee = typeof Fee.Type

const Failure = Schema.Struct({ errorType: ErrorType, message: Schema.String })

/** A row. Quantities are exact decimals in human units: amounts in the base, cost in the quote. */
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
  /** What the exchange knows it by before it has given it a name of its own. */
  clientId: Schema.NullOr(Schema.String),
  exchangeOrderId: Schema.NullOr(Schema.String),
  filled: Schema.NullOr(Schema.BigDecimalFromString),
  cost: Schema.NullOr(Schema.BigDecimalFromString),
  fees: Schema.NullOr(Schema.Array(Fee)),
  message: Schema.NullOr(Schema.String),
  failure: Schema.NullOr(Failure),
  /** USD due to the service for it; null where nothing was executed. */
  chargeUsd: Schema.NullOr(Schema.BigDecimalFromString),
  sentAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date,
  updatedAt: Schema.Date
}).annotate({ identifier: "ExchangeOrder" })
export type ExchangeOrder = typeof ExchangeOrder.Type

/** The order's name at the exchange: the same for one decision, 26 letters and digits, which every exchange here takes. */
export const clientIdOf = (id: string): string => `v${BigInt(`0x${id.replaceAll("-", "")}`).toString(36).padStart(25, "0")}`

/** What a caller asks of a bot at an exchange. */
export interface SideAsked {
  readonly subaccount: string
  readonly pair: string
  readonly side: string
  readonly strategy: string
  readonly share: number
  readonly maxUsd: BigDecimal.BigDecimal
}

/** The form in which a request is kept with its order, for telling a repeat from another request. */
export const requestOf = ({ maxUsd, pair, share, side, strategy, subaccount }: SideAsked) =>
  ({ subaccount, pair: pairOf(pair), side, strategy, share, max_usd: show(maxUsd) })

/** Compares requests whatever the order of members the database keeps them in. */
export const sameRequest = (one: unknown, other: ReturnType<typeof requestOf>): boolean => {
  const kept = new Map(typeof one === "object" && one !== null ? Object.entries(one) : [])
  return Object.entries(other).every(([key, value]) => kept.get(key) === value)
}
