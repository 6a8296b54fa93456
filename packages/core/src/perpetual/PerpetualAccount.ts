/**
 * A vault's account at HyperCore as responses show it. Prices, sizes and amounts are decimal text as HyperCore writes
 * them.
 */
import * as Schema from "effect/Schema"

/** The account's value and used margin, USDC. */
const Margin = Schema.Struct({
  accountValue: Schema.String,
  totalPositionValue: Schema.String,
  totalMarginUsed: Schema.String,
  withdrawable: Schema.String,
  /** USDC in the spot account: a deposit or withdrawal in progress. */
  spotUsdc: Schema.String
})

/** A position; `size` is negative when it is short. */
export const Position = Schema.Struct({
  coin: Schema.String,
  side: Schema.Literals(["long", "short"]),
  size: Schema.String,
  entryPrice: Schema.NullOr(Schema.String),
  markPrice: Schema.NullOr(Schema.String),
  positionValue: Schema.String,
  unrealizedPnl: Schema.String,
  marginUsed: Schema.String,
  leverage: Schema.Number,
  liquidationPrice: Schema.NullOr(Schema.String)
})
export type Position = typeof Position.Type

/** A vault's account at one time of HyperCore's own clock, unix milliseconds. */
export const PerpetualAccount = Schema.Struct({
  margin: Margin,
  positions: Schema.Array(Position),
  time: Schema.Number
})
export type PerpetualAccount = typeof PerpetualAccount.Type

/** A resting order; `intent_id` is set when an intent of this service placed it. */
export const RestingOrder = Schema.Struct({
  oid: Schema.String,
  cloid: Schema.NullOr(Schema.String),
  intent_id: Schema.NullOr(Schema.String),
  coin: Schema.String,
  side: Schema.Literals(["buy", "sell"]),
  price: Schema.String,
  size: Schema.String,
  remaining: Schema.String,
  reduce_only: Schema.Boolean,
  tif: Schema.NullOr(Schema.String),
  /** Unix seconds. */
  placed_at: Schema.Number
})
export type RestingOrder = typeof RestingOrder.Type

/** A listed contract and its current prices. */
export const ListedMarket = Schema.Struct({
  coin: Schema.String,
  asset_id: Schema.Int,
  size_decimals: Schema.Int,
  max_leverage: Schema.Number,
  isolated_only: Schema.Boolean,
  mark_price: Schema.String,
  mid_price: Schema.NullOr(Schema.String),
  oracle_price: Schema.String,
  funding: Schema.String,
  open_interest: Schema.String
})
export type ListedMarket = typeof ListedMarket.Type
