/** Trading of perpetual contracts on HyperCore with a vault's funds, as requests stored in the ledger. */
import * as Schema from "effect/Schema"

/** Time in force: `ioc` fills at once what it can, `gtc` rests until it is filled or cancelled, `alo` may only rest. */
export const tifs = ["ioc", "gtc", "alo"] as const
export type Tif = typeof tifs[number]

export const Side = Schema.Literals(["buy", "sell"])
export type Side = typeof Side.Type

/** Maximum percent by which an order's price may be worse than the market's, set by the platform's guard. */
export const maxSlippage = 3

/** Default percent by which a market order's price may be worse than the mid price. */
export const defaultSlippage = 0.5

const sized = {
  /** Percent of the movable balance; overrides `amount`; 100 when neither is given. */
  share: Schema.optional(Schema.Number),
  /** USDC, human units. */
  amount: Schema.optional(Schema.BigDecimalFromString)
}

/** A transfer of USDC from the vault to its account at HyperCore; a share is of the vault's balance. */
export const DepositToPerpetualsRequest = Schema.TaggedStruct("DepositToPerpetuals", sized).annotate({
  identifier: "DepositToPerpetuals"
})
export type DepositToPerpetualsRequest = typeof DepositToPerpetualsRequest.Type

/**
 * A transfer of USDC from the vault's account at HyperCore back into the vault; a share is of the withdrawable balance.
 */
export const WithdrawFromPerpetualsRequest = Schema.TaggedStruct("WithdrawFromPerpetuals", sized).annotate({
  identifier: "WithdrawFromPerpetuals"
})
export type WithdrawFromPerpetualsRequest = typeof WithdrawFromPerpetualsRequest.Type

/**
 * An order. `size` is in units of the coin, `usd` the maximum value of the size; one of them is given, or neither to
 * close a position.
 */
export const PlacePerpetualOrderRequest = Schema.TaggedStruct("PlacePerpetualOrder", {
  coin: Schema.String,
  side: Side,
  size: Schema.optional(Schema.BigDecimalFromString),
  usd: Schema.optional(Schema.BigDecimalFromString),
  /** Worst acceptable price; without it, the mid price and `slippage` apply. */
  price: Schema.optional(Schema.BigDecimalFromString),
  tif: Schema.Literals(tifs),
  reduceOnly: Schema.Boolean,
  /** Percent. */
  slippage: Schema.Number
}).annotate({ identifier: "PlacePerpetualOrder" })
export type PlacePerpetualOrderRequest = typeof PlacePerpetualOrderRequest.Type

/** The cancellation of a resting order, identified by its client order id or by HyperCore's id. */
export const CancelPerpetualOrderRequest = Schema.TaggedStruct("CancelPerpetualOrder", {
  coin: Schema.String,
  cloid: Schema.optional(Schema.String),
  oid: Schema.optional(Schema.BigIntFromString)
}).annotate({ identifier: "CancelPerpetualOrder" })
export type CancelPerpetualOrderRequest = typeof CancelPerpetualOrderRequest.Type
