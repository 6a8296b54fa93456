/** How old an answer of the platform's oracle is: the oracle tells a price, the feed behind it tells when it was last updated. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseAbi } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"

const registryAbi = parseAbi([
  "function getAssetHandler() view returns (address)",
  "function priceAggregators(address asset) view returns (address)"
])
const feedAbi = parseAbi(["function latestRoundData() view returns (uint80, int256, uint256, uint256 updatedAt, uint80)"])

/** Where the platform keeps its feeds: a contract of its own, or the factory itself. */
const aggregatorAt = (chain: ChainClient, registry: Address, asset: Address) =>
  Effect.map(chain.readAll([Contract.read(registryAbi, registry, "priceAggregators", [asset])]), ([answer]) =>
    Result.isSuccess(answer) ? Contract.lower(answer.success) : undefined)

/** When the feed of an asset was last updated, unix milliseconds; null where the platform does not tell its feed. */
export const updatedAt = (chain: ChainClient, asset: Address): Effect.Effect<number | null, RpcFailure> =>
  Effect.gen(function*() {
    const factory = chain.book.platformFactory
    const [handler] = yield* chain.readAll([Contract.read(registryAbi, factory, "getAssetHandler", [])])
    const aggregator = yield* aggregatorAt(chain, Result.isSuccess(handler) ? Contract.lower(handler.success) : factory, asset)
    if (aggregator === undefined) return null
    const [round] = yield* chain.readAll([Contract.read(feedAbi, aggregator, "latestRoundData", [])])
    return Result.isSuccess(round) ? Number(round.success[3]) * 1000 : null
  })
