/** Handlers that add and remove liquidity; each turns its parameters into an intent. */
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { AddLiquidityRequest, RemoveLiquidityRequest } from "@vault-trader/core/liquidity/Liquidity"
import { LiquidityApi } from "@vault-trader/core/liquidity/LiquidityApi"
import { defaultSlippage } from "@vault-trader/core/trading/Trading"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import { successOf } from "../endpoint/Success.ts"
import { Intents } from "../intent/Intents.ts"

/** Drops undefined members: a repeat is compared with the row, which has none. */
const defined = <A extends object>(members: A): { [K in keyof A]?: Exclude<A[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof A]?: Exclude<A[K], undefined>
  }

export const LiquidityApiLive = LiquidityApi.toLayer(Effect.gen(function*() {
  const intents = yield* Intents
  return {
    addLiquidity: (params) =>
      Effect.gen(function*() {
        const { lower_price: lowerPrice, upper_price: upperPrice } = params
        if (
          lowerPrice !== undefined && upperPrice !== undefined &&
          BigDecimal.isGreaterThanOrEqualTo(lowerPrice, upperPrice)
        ) {
          return yield* new ValidationFailure({ code: "1010", message: "upper_price: must be above lower_price" })
        }
        return yield* intents.write(successOf(LiquidityApi, "addLiquidity"), {
          endpoint: "addLiquidity",
          network: params.network,
          pool: params.pool,
          request: AddLiquidityRequest.make({
            asset1: params.asset1,
            asset2: params.asset2,
            inputAsset: params.input_asset,
            slippage: params.slippage ?? defaultSlippage,
            platform: params.platform ?? "auto",
            // A share wins: the amount is dropped.
            ...defined({
              feeTier: params.fee_tier,
              lowerPrice,
              upperPrice,
              share: params.share,
              amount: params.share === undefined ? params.amount : undefined
            })
          }),
          idempotencyKey: params.idempotency_key,
          dryRun: params.dryRun ?? false
        })
      }),
    removeLiquidity: (params) =>
      intents.write(successOf(LiquidityApi, "removeLiquidity"), {
        endpoint: "removeLiquidity",
        network: params.network,
        pool: params.pool,
        request: RemoveLiquidityRequest.make({
          asset1: params.asset1,
          asset2: params.asset2,
          tokenId: params.token_id,
          percent: params.amount ?? 100,
          slippage: params.slippage ?? defaultSlippage,
          platform: params.platform ?? "auto",
          ...defined({ outputAsset: params.output_asset })
        }),
        idempotencyKey: params.idempotency_key,
        dryRun: params.dryRun ?? false
      })
  }
}))
