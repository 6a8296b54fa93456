/** Requests to add and remove concentrated liquidity, as stored in the ledger. */
import * as Schema from "effect/Schema"
import { platforms } from "../venue/VenueName.ts"

/** The pool fees that exist, in hundredths of a basis point. */
export const feeTiers = [100, 500, 3000, 10000] as const

const Platform = Schema.Literals(platforms)

/**
 * A request to add `inputAsset` to a position of two assets. Prices are `asset2` per `asset1` in human units; a missing
 * price leaves that end of the range open.
 */
export const AddLiquidityRequest = Schema.TaggedStruct("AddLiquidity", {
  asset1: Schema.String,
  asset2: Schema.String,
  inputAsset: Schema.String,
  feeTier: Schema.optional(Schema.Literals(feeTiers)),
  lowerPrice: Schema.optional(Schema.BigDecimalFromString),
  upperPrice: Schema.optional(Schema.BigDecimalFromString),
  /** Percent of the balance of `inputAsset`; wins over `amount`; 100 when neither is given. */
  share: Schema.optional(Schema.Number),
  amount: Schema.optional(Schema.BigDecimalFromString),
  /** Percent. */
  slippage: Schema.Number,
  /** The venue at which the other asset is bought. */
  platform: Platform
}).annotate({ identifier: "AddLiquidity" })
export type AddLiquidityRequest = typeof AddLiquidityRequest.Type

/** A request to remove part of a position, or all of it at 100 percent. */
export const RemoveLiquidityRequest = Schema.TaggedStruct("RemoveLiquidity", {
  asset1: Schema.String,
  asset2: Schema.String,
  tokenId: Schema.BigIntFromString,
  percent: Schema.Number,
  /** The asset that the other asset is sold for, if it is sold. */
  outputAsset: Schema.optional(Schema.String),
  slippage: Schema.Number,
  platform: Platform
}).annotate({ identifier: "RemoveLiquidity" })
export type RemoveLiquidityRequest = typeof RemoveLiquidityRequest.Type

/** A swap made in the same transaction. */
export const Swapped = Schema.Struct({ venue: Schema.String, sold: Schema.String, bought: Schema.String })
