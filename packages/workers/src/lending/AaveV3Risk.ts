/**
 * Reads lenderA's inputs for judging a loan: its oracle's price of the asset, the asset's threshold and the vault's
 * existing debt.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { readConfirmedGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import type { AaveMarket } from "./AaveV3.ts"
import { oracleAbi, poolAbi } from "./AaveV3Abi.ts"
import { oracleOf } from "./AaveV3Contracts.ts"

export interface Risk {
  /** USD per whole token, 8 decimals. */
  readonly price: bigint
  /** Hundredths of a percent; never below the threshold at which the asset actually counts. */
  readonly threshold: bigint
  /** The assets the vault owes. */
  readonly owing: ReadonlyArray<Address>
}

const noOraclePrice = (symbol: string) => explain({ _tag: "NoLenderPrice", symbol })

export const read = (chain: ChainClient, market: AaveMarket): Effect.Effect<Risk, ExecutionFailure> =>
  Effect.gen(function*() {
    const { address, borrowing, emode, token } = market
    const oracle = yield* oracleOf(chain, address)
    const [[price, category], owing] = yield* Effect.mapError(
      readConfirmedGroups(chain, [
        [
          Contract.read(oracleAbi, oracle, "getAssetPrice", [token.address]),
          Contract.read(poolAbi, address, "getEModeCategoryData", [Number(emode)])
        ],
        borrowing.map((id) => Contract.read(poolAbi, address, "getReserveAddressById", [id]))
      ]),
      unavailable
    )
    if (Result.isFailure(price) || price.success === 0n) return yield* noOraclePrice(token.symbol)
    // In efficiency mode an asset may count at the category's threshold instead of its own.
    const special = emode === 0n || Result.isFailure(category) ? 0n : BigInt(category.success.liquidationThreshold)
    return {
      price: price.success,
      threshold: special > market.threshold ? special : market.threshold,
      owing: owing.flatMap((each) => Result.isSuccess(each) ? [Contract.lower(each.success)] : [])
    }
  })
