/** Requests about positions of concentrated liquidity, as stored in the ledger. */
import * as Schema from "effect/Schema"
import { platforms } from "../venue/VenueName.ts"
import { Dex } from "./Dex.ts"

/** The pool fees that exist, in hundredths of a basis point: 2500 at Pancake only, 3000 at Uniswap only. */
export const feeTiers = [100, 500, 2500, 3000, 10000] as const

const Platform = Schema.Literals(platforms)

/**
 * A request to add `inputAsset` to a position of two assets. Prices are `asset2` per `asset1` in human units; a missing
 * price leaves that end of the range open.
 */
export const AddLiquidityRequest = Schema.TaggedStruct("AddLiquidity", {
  asset1: Schema.String,
  asset2: Schema.String,
  inputAsset: Schema.String,
  /** The exchange; without it the first one that the vault may use. */
  dex: Schema.optional(Dex),
  feeTier: Schema.optional(Schema.Literals(feeTiers)),
  /** Distinguishes the pools of Velodrome, as the fee does those of the others. */
  tickSpacing: Schema.optional(Schema.Int),
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
  dex: Schema.optional(Dex),
  percent: Schema.Number,
  /** The asset that the other asset is sold for, if it is sold. */
  outputAsset: Schema.optional(Schema.String),
  slippage: Schema.Number,
  platform: Platform
}).annotate({ identifier: "RemoveLiquidity" })
export type RemoveLiquidityRequest = typeof RemoveLiquidityRequest.Type

/** The position of two assets that a request is about. */
const positionFields = {
  asset1: Schema.String,
  asset2: Schema.String,
  tokenId: Schema.BigIntFromString,
  dex: Schema.optional(Dex)
}

/** A request to collect the fees that a position has earned; a staked one also pays its rewards. */
export const CollectFeesRequest = Schema.TaggedStruct("CollectFees", positionFields).annotate({
  identifier: "CollectFees"
})
export type CollectFeesRequest = typeof CollectFeesRequest.Type

/** A request to stake a position: in its pool's gauge at Velodrome, in MasterChefV3 at Pancake. */
export const StakeLiquidityRequest = Schema.TaggedStruct("StakeLiquidity", positionFields).annotate({
  identifier: "StakeLiquidity"
})
export type StakeLiquidityRequest = typeof StakeLiquidityRequest.Type

/** A request to take a staked position back, with its rewards. */
export const UnstakeLiquidityRequest = Schema.TaggedStruct("UnstakeLiquidity", positionFields).annotate({
  identifier: "UnstakeLiquidity"
})
export type UnstakeLiquidityRequest = typeof UnstakeLiquidityRequest.Type

/** A request to claim the rewards of a staked position, which stays staked. */
export const ClaimRewardsRequest = Schema.TaggedStruct("ClaimRewards", positionFields).annotate({
  identifier: "ClaimRewards"
})
export type ClaimRewardsRequest = typeof ClaimRewardsRequest.Type

/** A swap made in the same transaction. */
export const Swapped = Schema.Struct({ venue: Schema.String, sold: Schema.String, bought: Schema.String })
