/** Orders as responses show them. */
import * as Schema from "effect/Schema"
import * as Quantities from "../chain/Quantity.ts"
import {
  OrderEvent,
  OrderSide,
  type OrderSlice,
  OrderState,
  OrderType,
  tokensOf,
  type VaultOrder
} from "./VaultOrder.ts"

const text = Schema.NullOr(Schema.String)

/** An order as responses show it. Prices are in the quote per whole base, amounts in human units. */
export const OrderView = Schema.Struct({
  id: Schema.String,
  network: Schema.String,
  pool: Schema.String,
  /** The wallet that placed the order; it signs and is billed. */
  gasWallet: Schema.String,
  type: OrderType,
  side: OrderSide,
  pair: Schema.String,
  state: OrderState,
  paper: Schema.Boolean,
  /** Of the sold asset: all of the order, or each purchase of a `dca`. */
  amount: text,
  share: Schema.NullOr(Schema.Number),
  limit_price: text,
  stop_price: text,
  take_profit_price: text,
  trail_percent: Schema.NullOr(Schema.Number),
  trail_amount: text,
  activation_price: text,
  slices: Schema.NullOr(Schema.Int),
  /** Seconds between two slices of a schedule. */
  interval: Schema.NullOr(Schema.Int),
  catch_up: Schema.Boolean,
  max_impact: Schema.NullOr(Schema.Number),
  slippage: Schema.Number,
  platform: Schema.String,
  reduce_only: Schema.Boolean,
  confirmations: Schema.Int,
  sold: Quantities.Quantity,
  bought: Quantities.Quantity,
  /** The amount left to sell; null until a share is known. */
  remaining: text,
  /** The quote per whole base of what was executed. */
  average_price: text,
  /** The best confirmed price since a trailing stop began to trail. */
  peak_price: text,
  trigger: Schema.NullOr(Schema.Struct({ condition: Schema.String, price: Schema.String, at: Schema.String })),
  slices_made: Schema.Int,
  /** The intent of the slice in progress. */
  open_intent_id: text,
  /** Failed slices in a row. */
  failures: Schema.Int,
  /** The condition that it waits for, or how it ended. */
  reason: Schema.String,
  /** Reason of an active kill switch of the vault's bots, the wallet, or the service. */
  kill_switch: text,
  created_at: Schema.String,
  expires_at: Schema.String,
  ended_at: text
})
export type OrderView = typeof OrderView.Type

/** A slice as responses show it. */
export const SliceView = Schema.Struct({
  slice: Schema.Int,
  intent_id: Schema.String,
  amount: Schema.String,
  state: Schema.Literals(["in_progress", "succeeded", "failed"]),
  sold: text,
  bought: text,
  tx_hash: text,
  message: text,
  begun_at: Schema.String,
  ended_at: text
})
export type SliceView = typeof SliceView.Type

/** An entry of an order's history, as responses show it. */
export const EventView = Schema.Struct({ at: Schema.String, kind: OrderEvent.fields.kind, reason: Schema.String })

const priceOf = (price18: bigint | null) => price18 === null ? null : Quantities.format(price18, 18)

/** Returns the average price of what an order has executed, in the quote per whole base. */
const averageOf = ({ bought, sold, terms }: VaultOrder): string | null => {
  const [ofBase, ofQuote] = terms.side === "sell" ? [sold, bought] : [bought, sold]
  return ofBase === 0n
    ? null
    : Quantities.format(
      ofQuote * 10n ** BigInt(18 + terms.base.decimals) / (ofBase * 10n ** BigInt(terms.quote.decimals)),
      18
    )
}

/** Returns an order as responses show it. `killSwitch`: the reason of an active kill switch, or null. */
export const viewOf = (order: VaultOrder, killSwitch: string | null): OrderView => {
  const { progress: { peak18, trigger }, terms, total } = order
  const { bought, sold } = tokensOf(terms)
  return {
    ...{ id: order.id, network: order.network, pool: order.pool, gasWallet: order.wallet, type: terms.type },
    ...{ side: terms.side, pair: terms.pair, state: order.state, paper: order.paper },
    amount: terms.amount === null ? null : Quantities.format(terms.amount, sold.decimals),
    share: terms.share,
    limit_price: priceOf(terms.limit18),
    stop_price: priceOf(terms.stop18),
    take_profit_price: priceOf(terms.profit18),
    trail_percent: terms.trailPercent,
    trail_amount: priceOf(terms.trail18),
    activation_price: priceOf(terms.activation18),
    ...{ slices: terms.slices, interval: terms.intervalSeconds, catch_up: terms.catchUp, max_impact: terms.maxImpact },
    ...{ slippage: terms.slippage, platform: terms.platform, reduce_only: terms.reduceOnly },
    confirmations: terms.confirmations,
    sold: Quantities.of(sold, order.sold),
    bought: Quantities.of(bought, order.bought),
    remaining: total === null ? null : Quantities.format(Quantities.max(0n, total - order.sold), sold.decimals),
    average_price: averageOf(order),
    peak_price: priceOf(peak18),
    trigger: trigger === null ? null : {
      condition: trigger.condition,
      price: Quantities.format(trigger.price18, 18),
      at: new Date(trigger.at).toISOString()
    },
    ...{ slices_made: order.slice, open_intent_id: order.openIntent, failures: order.failures, reason: order.reason },
    kill_switch: order.endedAt === null ? killSwitch : null,
    created_at: order.createdAt.toISOString(),
    expires_at: order.expiresAt.toISOString(),
    ended_at: order.endedAt?.toISOString() ?? null
  }
}

/** Returns a slice of an order as responses show it. */
export const sliceViewOf = (order: VaultOrder, slice: OrderSlice): SliceView => {
  const { bought, sold } = tokensOf(order.terms)
  const amountOf = (raw: bigint | null, decimals: number) => raw === null ? null : Quantities.format(raw, decimals)
  return {
    slice: slice.slice,
    intent_id: slice.intentId,
    amount: Quantities.format(slice.amount, sold.decimals),
    state: slice.state,
    sold: amountOf(slice.sold, sold.decimals),
    bought: amountOf(slice.bought, bought.decimals),
    tx_hash: slice.txHash,
    message: slice.message,
    begun_at: slice.begunAt.toISOString(),
    ended_at: slice.endedAt?.toISOString() ?? null
  }
}
