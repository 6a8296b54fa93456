/**
 * Age of the platform oracle's prices: the oracle returns the price, the feed behind it the time of its last update.
 */
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
const feedAbi = parseAbi([
  "function latestRoundData() view returns (uint80, int256, uint256, uint256 updatedAt, uint80)"
])

/**
 * Reads when the feeds of assets were last updated, unix seconds, in their order; null where the platform does not return
 * a feed. `source` makes the reads.
 */
export const updatesOf = (
  { book }: Pick<ChainClient, "book">,
  source: Pick<ChainClient, "readAll">,
  assets: ReadonlyArray<Address>
): Effect.Effect<ReadonlyArray<number | null>, RpcFailure> =>
  Effect.gen(function*() {
    const factory = book.platformFactory
    const [handler] = yield* source.readAll([Contract.read(registryAbi, factory, "getAssetHandler", [])])
    const registry = Result.isSuccess(handler) ? Contract.lower(handler.success) : factory
    const feeds = yield* source.readAll(
      assets.map((asset) => Contract.read(registryAbi, registry, "priceAggregators", [asset]))
    )
    const rounds = yield* source.readAll(feeds.map((feed) =>
      Contract.read(
        feedAbi,
        // A feed that is not known answers nothing, as an address without code does.
        Result.isSuccess(feed) ? Contract.lower(feed.success) : factory,
        "latestRoundData",
        []
      )
    ))
    return rounds.map((round) => Result.isSuccess(round) ? Number(round.success[3]) : null)
  })

/** Reads an asset's feed from the platform's registry: a separate contract, or the factory itself. */
const aggregatorAt = (chain: ChainClient, registry: Address, asset: Address) =>
  Effect.map(
    chain.readAll([Contract.read(registryAbi, registry, "priceAggregators", [asset])]),
    ([answer]) => Result.isSuccess(answer) ? Contract.lower(answer.success) : undefined
  )

/** Reads when an asset's feed was last updated, unix milliseconds; null when the platform does not return its feed. */
export const updatedAt = (chain: ChainClient, asset: Address): Effect.Effect<number | null, RpcFailure> =>
  Effect.gen(function*() {
    const factory = chain.book.platformFactory
    const [handler] = yield* chain.readAll([Contract.read(registryAbi, factory, "getAssetHandler", [])])
    const aggregator = yield* aggregatorAt(
      chain,
      Result.isSuccess(handler) ? Contract.lower(handler.success) : factory,
      asset
    )
    if (aggregator === undefined) return null
    const [round] = yield* chain.readAll([Contract.read(feedAbi, aggregator, "latestRoundData", [])])
    return Result.isSuccess(round) ? Number(round.success[3]) * 1000 : null
  })
