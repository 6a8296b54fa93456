/** An order of a vault: its terms, its progress, its row, the request of a slice, and its actor's protocol. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Quantity } from "../chain/Quantity.ts"
import { Token } from "../chain/Token.ts"
import { Failure } from "../failure/Failure.ts"
import { platforms } from "../venue/VenueName.ts"
import { orderTypes } from "./OrderType.ts"

export { orderTypes }
export const OrderType = Schema.Literals(orderTypes)
export type OrderType = typeof OrderType.Type

/** `sell`: the base for the quote. `buy`: the base with the quote. */
export const orderSides = ["buy", "sell"] as const
export const OrderSide = Schema.Literals(orderSides)
export type OrderSide = typeof OrderSide.Type

/** The price condition that a trigger was about. */
export const Condition = Schema.Literals(["stop", "profit", "trail"])
export type Condition = typeof Condition.Type

export const defaults = {
  slippage: 0.5,
  /** Percent of price impact that a slice of a `twap` or `iceberg` may have. */
  maxImpact: 0.3,
  /** Observations in a row, each of a later block, after which a condition triggers. */
  confirmations: 2,
  slices: 10,
  expirySeconds: 30 * 86_400
} as const

const price18 = Schema.NullOr(Schema.BigIntFromString)

/** The terms of an order. Prices are in the quote per whole base, 18 decimals; a field that its type lacks is null. */
export const OrderTerms = Schema.Struct({
  type: OrderType,
  side: OrderSide,
  /** The symbols, as `WETH-USDC`. */
  pair: Schema.String,
  base: Token,
  quote: Token,
  /** Of the sold asset, smallest units: all of the order, or each purchase of a `dca`; null with a share. */
  amount: Schema.NullOr(Schema.BigIntFromString),
  /** Percent of the vault's balance when the first slice is made. */
  share: Schema.NullOr(Schema.Number),
  limit18: price18,
  stop18: price18,
  profit18: price18,
  trailPercent: Schema.NullOr(Schema.Number),
  trail18: price18,
  /** The price at which a trailing stop begins to trail. */
  activation18: price18,
  /** The slices of a `twap`, the purchases of a `dca`. */
  slices: Schema.NullOr(Schema.Int),
  /** Seconds from one of them to the next. */
  intervalSeconds: Schema.NullOr(Schema.Int),
  /** True if a `dca` makes missed purchases up, one at each check. */
  catchUp: Schema.Boolean,
  /** Percent of the oracle's value that a slice may lose to the pool; null: the order is one slice. */
  maxImpact: Schema.NullOr(Schema.Number),
  /** Percent. */
  slippage: Schema.Number,
  platform: Schema.Literals(platforms),
  /** True if it sells at most what the vault has, and ends when the vault has none left. */
  reduceOnly: Schema.Boolean,
  confirmations: Schema.Int
}).annotate({ identifier: "OrderTerms" })
export type OrderTerms = typeof OrderTerms.Type

/** The price at which a condition triggered. Never removed: a triggered order is executed, cancelled or expires. */
export const Trigger = Schema.Struct({
  condition: Condition,
  price18: Schema.BigIntFromString,
  /** Unix milliseconds. */
  at: Schema.Number
})
export type Trigger = typeof Trigger.Type

/** The memory of an order between two observations. */
export const OrderProgress = Schema.Struct({
  /**
   * The highest confirmed price since a selling trailing stop was active, the lowest of a buying one: each observation
   * of a row of them was at least as good.
   */
  peak18: price18,
  /** The row of observations beyond the peak, and the least good price of it. */
  rise: Schema.NullOr(Schema.Struct({ price18: Schema.BigIntFromString, times: Schema.Int, block: Schema.Number })),
  /** The condition that holds at the last observations, and in how many of them in a row. */
  held: Schema.NullOr(Schema.Struct({ condition: Condition, times: Schema.Int, block: Schema.Number })),
  trigger: Schema.NullOr(Trigger),
  /** The number of the last slot that was used, from 0; -1 before the first. */
  slot: Schema.Int
}).annotate({ identifier: "OrderProgress" })
export type OrderProgress = typeof OrderProgress.Type

export const noProgress: OrderProgress = { peak18: null, rise: null, held: null, trigger: null, slot: -1 }

/**
 * `open` waits for its price or its next slot; `triggered` is being executed; `cancelling` was cancelled while a slice
 * was in progress: one that was not planned is withdrawn, the outcome of another one counts. The others are final.
 */
export const orderStates = ["open", "triggered", "cancelling", "done", "cancelled", "expired"] as const
export const OrderState = Schema.Literals(orderStates)
export type OrderState = typeof OrderState.Type

/** A row of an order. Quantities are in smallest units. */
export const VaultOrder = Schema.Struct({
  id: Schema.String,
  network: Network,
  pool: Address,
  /** The wallet whose key placed the order. It signs and is billed. */
  wallet: Address,
  keyId: Schema.String,
  terms: OrderTerms,
  paper: Schema.Boolean,
  state: OrderState,
  progress: OrderProgress,
  /** All that it sells; null until a share is known. */
  total: Schema.NullOr(Schema.BigIntFromString),
  sold: Schema.BigIntFromString,
  bought: Schema.BigIntFromString,
  /** Increases with every change of the terms. */
  revision: Schema.Int,
  /** The number of its next slice. */
  slice: Schema.Int,
  /** The intent of the slice in progress. */
  openIntent: Schema.NullOr(Schema.String),
  openAmount: Schema.NullOr(Schema.BigIntFromString),
  /** Failed slices in a row. */
  failures: Schema.Int,
  /** The condition that it waits for, or how it ended. */
  reason: Schema.String,
  startsAt: Schema.Date,
  expiresAt: Schema.Date,
  nextCheck: Schema.Date,
  createdAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date)
}).annotate({ identifier: "VaultOrder" })
export type VaultOrder = typeof VaultOrder.Type

/** Returns the asset that an order sells, and the one that it buys. */
export const tokensOf = ({ base, quote, side }: Pick<OrderTerms, "base" | "quote" | "side">) =>
  side === "sell" ? { sold: base, bought: quote } : { sold: quote, bought: base }

/** One slice of an order, sized before it is accepted. `floor`: the least it may buy, by the order's limit price. */
export const OrderSliceRequest = Schema.TaggedStruct("OrderSlice", {
  orderId: Schema.String,
  slice: Schema.Int,
  from: Address,
  to: Address,
  amount: Schema.BigIntFromString,
  floor: Schema.BigIntFromString,
  slippage: Schema.Number,
  platform: Schema.Literals(platforms),
  paper: Schema.Boolean
}).annotate({ identifier: "OrderSlice" })
export type OrderSliceRequest = typeof OrderSliceRequest.Type

/** Returns the idempotency key of a slice: beginning it again returns the same intent. */
export const sliceKey = (orderId: string, slice: number): string => `order/${orderId}/${slice}`

/** A slice as it is stored: begun with its intent in one transaction, ended once. */
export const OrderSlice = Schema.Struct({
  slice: Schema.Int,
  intentId: Schema.String,
  amount: Schema.BigIntFromString,
  state: Schema.Literals(["in_progress", "succeeded", "failed"]),
  sold: Schema.NullOr(Schema.BigIntFromString),
  bought: Schema.NullOr(Schema.BigIntFromString),
  txHash: Schema.NullOr(Hash),
  message: Schema.NullOr(Schema.String),
  begunAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date)
}).annotate({ identifier: "OrderSliceRow" })
export type OrderSlice = typeof OrderSlice.Type

/** An entry of an order's history. */
export const OrderEvent = Schema.Struct({
  at: Schema.Date,
  kind: Schema.Literals([
    "placed",
    "amended",
    "triggered",
    "slice_begun",
    "slice_succeeded",
    "slice_failed",
    "cancelling",
    "cancelled",
    "done",
    "expired"
  ]),
  reason: Schema.String
}).annotate({ identifier: "OrderEvent" })
export type OrderEvent = typeof OrderEvent.Type

/** The next step of an order as of now. Nothing is sent. */
export const OrderPreview = Schema.Struct({
  /** `wait`, `trigger`, `slice`, `expire` or `done`. */
  step: Schema.String,
  reason: Schema.String,
  /** The quote per whole base by the vault's oracle; null while it has no fresh price. */
  price: Schema.NullOr(Schema.String),
  /** The first slice, as large as the pool bears now; null when none can be quoted. */
  slice: Schema.NullOr(Schema.Struct({ sold: Quantity, bought: Quantity, min_bought: Quantity, venue: Schema.String }))
}).annotate({ identifier: "OrderPreview" })
export type OrderPreview = typeof OrderPreview.Type

/** The pair of an order, resolved for a vault. */
export const OrderPair = Schema.Struct({ base: Token, quote: Token }).annotate({ identifier: "OrderPair" })
export type OrderPair = typeof OrderPair.Type

/** The actor of one vault's orders. Entity id: `network/pool`, as the vault's. */
export const VaultOrders = Entity.make("VaultOrder", [
  /** Resolves the pair in this vault; 1006 unless the wallet may trade it, 1003 for an impossible pair. */
  Rpc.make("pair", {
    payload: { wallet: Address, base: Schema.String, quote: Schema.String },
    success: OrderPair,
    error: Failure
  }),
  /** Says what an order with these terms would do now. Changes nothing. */
  Rpc.make("preview", { payload: { wallet: Address, terms: OrderTerms }, success: OrderPreview, error: Failure }),
  /** Decides on an order now and begins its slice, or follows the slice in progress. */
  Rpc.make("wake", { payload: { orderId: Schema.String }, error: Failure })
])
