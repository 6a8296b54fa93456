/** Handlers that add and remove liquidity; each turns its parameters into an intent's request. */
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { AddLiquidityRequest, RemoveLiquidityRequest } from "@vault-trader/core/liquidity/Liquidity"
import { LiquidityApi } from "@vault-trader/core/liquidity/LiquidityApi"
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

/** Builds the request. Refuses a price range that is empty. */
const addRequestOf = (
  {
    asset1,
    asset2,
    fee_tier: feeTier,
    input_asset: inputAsset,
    lower_price: lowerPrice,
    platform = "auto",
    slippage = defaultSlippage,
    upper_price: upperPrice,
    ...size
  }: Handlers.Params<typeof LiquidityApi, "addLiquidity">
) =>
  lowerPrice !== undefined && upperPrice !== undefined && BigDecimal.isGreaterThanOrEqualTo(lowerPrice, upperPrice)
    ? new ValidationFailure({ code: "1010", message: "upper_price: must be above lower_price" })
    : Effect.succeed(AddLiquidityRequest.make({
      ...{ asset1, asset2, inputAsset, slippage, platform },
      ...defined({ feeTier, lowerPrice, upperPrice }),
      ...Size.of(size)
    }))

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
        ...defined({ outputAsset: params.output_asset })
      }))
  }))
)
