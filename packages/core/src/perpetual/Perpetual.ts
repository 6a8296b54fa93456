/** Trading perpetual contracts on the core with a vault's funds, as requests kept in the ledger. */
import * as Schema from "effect/Schema"

/** How long an order stands: `ioc` fills at once or not at all, `gtc` rests until it is filled or cancelled, `alo` only ever rests. */
export const tifs = ["ioc", "gtc", "alo"] as const
export type Tif = typeof tifs[number]

export const Side = Schema.Literals(["buy", "sell"])
export type Side = typeof Side.Type

/** The most, in percent, that an order's price may be worse than the market's: the platform's guard allows no more. */
export const maximumSlippage = 3

/** Percent that a market order's price may be worse than the middle, where the caller says nothing. */
export const standardSlippage = 0.5

const sized = {
  /** Percent of what can be moved; wins over `amount`; 100 when neither is given. */
  share: Schema.optional(Schema.Number),
  /** USDC, human units. */
  amount: Schema.optional(Schema.BigDecimalFromString)
}

/** Move USDC from the vault to its account at the core; a share is of the vault's balance. */
export const DepositToPerpetualsRequest = Schema.TaggedStruct("DepositToPerpetuals", sized).annotate({ identifier: "DepositToPerpetuals" })
export type DepositToPerpetualsRequest = typeof DepositToPerpetualsRequest.Type

/** Move USDC from the vault's account at the core back into the vault; a share is of what can be withdrawn. */
export const WithdrawFromPerpetualsRequest = Schema.TaggedStruct("WithdrawFromPerpetuals", sized).annotate({ identifier: "WithdrawFromPerpetuals" })
export type WithdrawFromPerpetualsRequest = typeof WithdrawFromPerpetualsRequest.Type

/** One order. `size` is in units of the coin, `usd` what that size may be worth; one of them is given, or neither to close a position. */
export const PlacePerpetualOrderRequest = Schema.TaggedStruct("PlacePerpetualOrder", {
  coin: Schema.String,
  side: Side,
  size: Schema.optional(Schema.BigDecimalFromString),
  usd: Schema.optional(Schema.BigDecimalFromString),
  /** The worst price that is acceptable; without it the middle of the market and `slippage`. */
  price: Schema.optional(Schema.BigDecimalFromString),
  tif: Schema.Literals(tifs),
  reduceOnly: Schema.Boolean,
  /** Percent. */
  slippage: Schema.Number
}).annotate({ identifier: "PlacePerpetualOrder" })
export type PlacePerpetualOrderRequest = typeof PlacePerpetualOrderRequest.Type

/** Take back an order that rests; named by our id for it or by the core's. */
export const CancelPerpetualOrderRequest = Schema.TaggedStruct("CancelPerpetualOrder", {
  coin: Schema.String,
  cloid: Schema.optional(Schema.String),
  oid: Schema.optional(Schema.BigIntFromString)
}).annotate({ identifier: "CancelPerpetualOrder" })
export type CancelPerpetualOrderRequest = typeof CancelPerpetualOrderRequest.Type
