/** A vault's account at the core as answers show it. Prices, sizes and amounts are decimal text as the core writes them. */
import * as Schema from "effect/Schema"

/** What the account is worth and what of it is bound; USDC. */
export const Margin = Schema.Struct({
  accountValue: Schema.String,
  totalPositionValue: Schema.String,
  totalMarginUsed: Schema.String,
  withdrawable: Schema.String,
  /** USDC on the account's spot side: on its way in or out. */
  spotUsdc: Schema.String
})

/** A position; `size` is negative where it is short. */
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

/** What a vault has at the core at one moment of the core's own clock, unix milliseconds. */
export const PerpetualAccount = Schema.Struct({ margin: Margin, positions: Schema.Array(Position), time: Schema.Number })
export type PerpetualAccount = typeof PerpetualAccount.Type

/** An order that rests; `intent_id` where one of our intents placed it. */
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

/** A contract that is traded, and its prices now. */
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
