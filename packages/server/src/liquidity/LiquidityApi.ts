/** Handlers of liquidity; each turns its parameters into an intent's request. */
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { type Dex, type DexChoice, hasTickSpacing } from "@vault-trader/core/liquidity/Dex"
import {
  AddLiquidityRequest,
  ClaimRewardsRequest,
  CollectFeesRequest,
  RemoveLiquidityRequest,
  StakeLiquidityRequest,
  UnstakeLiquidityRequest
} from "@vault-trader/core/liquidity/Liquidity"
import { LiquidityApi } from "@vault-trader/core/liquidity/LiquidityApi"
import { bothAssets } from "@vault-trader/core/liquidity/LiquidityParams"
import { defaultSlippage } from "@vault-trader/core/trading/Trading"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import { Intents } from "../intent/Intents.ts"
import * as Size from "../intent/Size.ts"

/** Drops undefined members: a repeat is compared with the row, which has none. */
const defined = <A extends object>(members: A): { [K in keyof A]?: Exclude<A[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof A]?: Exclude<A[K], undefined>
  }

/** Returns the exchange that is named; undefined for `auto`. */
const named = (dex: DexChoice | undefined): Dex | undefined => dex === "auto" ? undefined : dex

/** Returns the mistake in how a request names its pool. */
const poolFault = (
  { dex, fee_tier: feeTier, tick_spacing: tickSpacing }: Pick<
    Handlers.Params<typeof LiquidityApi, "addLiquidity">,
    "dex" | "fee_tier" | "tick_spacing"
  >
): string | undefined => {
  if (feeTier !== undefined && tickSpacing !== undefined) {
    return "tick_spacing: cannot be given together with fee_tier; velodromeCl has tick spacings, the others have fees"
  }
  const chosen = named(dex)
  if (chosen === undefined) return undefined
  if (feeTier !== undefined && hasTickSpacing(chosen)) {
    return `fee_tier: ${chosen} distinguishes pools by their tick spacing; give tick_spacing`
  }
  return tickSpacing !== undefined && !hasTickSpacing(chosen)
    ? `tick_spacing: ${chosen} distinguishes pools by their fee; give fee_tier`
    : undefined
}

/** Returns the asset that the other asset is sold for; undefined when neither is sold. */
const soldFor = (asset: string | undefined): string | undefined => asset === bothAssets ? undefined : asset

/** Builds the request about one position. */
const positionOf = (
  { asset1, asset2, dex, token_id: tokenId }: Pick<
    Handlers.Params<typeof LiquidityApi, "collectFees">,
    "asset1" | "asset2" | "dex" | "token_id"
  >
) => ({ asset1, asset2, tokenId, ...defined({ dex: named(dex) }) })

/** Builds the request. Refuses a price range that is empty, and a pool that is named in the wrong way. */
const addRequestOf = (
  {
    asset1,
    asset2,
    dex,
    fee_tier: feeTier,
    input_asset: inputAsset,
    lower_price: lowerPrice,
    platform = "auto",
    slippage = defaultSlippage,
    tick_spacing: tickSpacing,
    upper_price: upperPrice,
    ...size
  }: Handlers.Params<typeof LiquidityApi, "addLiquidity">
) => {
  const fault = poolFault({ dex, fee_tier: feeTier, tick_spacing: tickSpacing }) ??
    (lowerPrice !== undefined && upperPrice !== undefined && BigDecimal.isGreaterThanOrEqualTo(lowerPrice, upperPrice)
      ? "upper_price: must be above lower_price"
      : undefined)
  return fault === undefined
    ? Effect.succeed(AddLiquidityRequest.make({
      ...{ asset1, asset2, inputAsset, slippage, platform },
      ...defined({ dex: named(dex), feeTier, tickSpacing, lowerPrice, upperPrice }),
      ...Size.of(size)
    }))
    : new ValidationFailure({ code: "1010", message: fault })
}

export const LiquidityApiLive = Handlers.layer(
  LiquidityApi,
  Effect.map(Intents, (intents) => ({
    addLiquidity: intents.write(LiquidityApi, "addLiquidity", addRequestOf),
    removeLiquidity: intents.write(LiquidityApi, "removeLiquidity", (params) =>
      RemoveLiquidityRequest.make({
        asset1: params.asset1,
        asset2: params.asset2,
        tokenId: params.token_id,
        percent: params.amount ?? 100,
        slippage: params.slippage ?? defaultSlippage,
        platform: params.platform ?? "auto",
        ...defined({ dex: named(params.dex), outputAsset: soldFor(params.output_asset) })
      })),
    collectFees: intents.write(LiquidityApi, "collectFees", (params) => CollectFeesRequest.make(positionOf(params))),
    stakeLiquidity: intents.write(
      LiquidityApi,
      "stakeLiquidity",
      (params) => StakeLiquidityRequest.make(positionOf(params))
    ),
    unstakeLiquidity: intents.write(
      LiquidityApi,
      "unstakeLiquidity",
      (params) => UnstakeLiquidityRequest.make(positionOf(params))
    ),
    claimRewards: intents.write(LiquidityApi, "claimRewards", (params) => ClaimRewardsRequest.make(positionOf(params)))
  }))
)
