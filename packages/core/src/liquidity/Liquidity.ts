/** Providing a vault's assets as concentrated liquidity and taking them back, as requests kept in the ledger. */
import * as Schema from "effect/Schema"
import { names as venueNames } from "../venue/VenueName.ts"

/** Pool fees there are, in hundredths of a basis point. */
export const feeTiers = [100, 500, 3000, 10000] as const

const Platform = Schema.Literals(["auto", ...venueNames])

/** Put `inputAsset` into a position of two assets. Prices are `asset2` per `asset1` in human units; without them the range has no end. */
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
  /** Where what is missing of the other asset is bought. */
  platform: Platform
}).annotate({ identifier: "AddLiquidity" })
export type AddLiquidityRequest = typeof AddLiquidityRequest.Type

/** Take a part of a position back, all of it at 100 percent. */
export const RemoveLiquidityRequest = Schema.TaggedStruct("RemoveLiquidity", {
  asset1: Schema.String,
  asset2: Schema.String,
  tokenId: Schema.BigIntFromString,
  percent: Schema.Number,
  /** What the other asset is sold for, if anything. */
  outputAsset: Schema.optional(Schema.String),
  slippage: Schema.Number,
  platform: Platform
}).annotate({ identifier: "RemoveLiquidity" })
export type RemoveLiquidityRequest = typeof RemoveLiquidityRequest.Type

/** A swap that went with it. */
export const Swapped = Schema.Struct({ venue: Schema.String, sold: Schema.String, bought: Schema.String })
