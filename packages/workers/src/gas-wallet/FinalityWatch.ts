/**
 * Finds wallets whose newest final transaction a deep reorg has removed from its block, and has their lanes read their
 * final transactions again: a lane that has nothing to do, or that is quarantined, reads no block by itself.
 */
import type { Network } from "@vault-trader/core/chain/Network"
import { type BlockPoint, FinalCheckpointStore } from "@vault-trader/core/gas-wallet/FinalCheckpointStore"
import { GasWallet, idOf } from "@vault-trader/core/gas-wallet/GasWallet"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as BlockPlace from "../chain/BlockPlace.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Chains } from "../chain/Chains.ts"

/** Maximum number of blocks that are read at the same time. */
const maxReads = 100
/** Maximum number of blocks that one check of a network reads: after a deep reorg every wallet's has to be read. */
const maxBlocksDefault = 1_000

/**
 * Reads whether a block that was final is in its place. Where nodes no longer have a block that old, they say nothing
 * against it; above the newest final one, `final`, it may be of a branch that has not grown back.
 */
const placeOf = (chain: ChainClient, final: bigint, block: BlockPoint) =>
  Effect.map(BlockPlace.read(chain, block), (place) => {
    if (place !== "absent") return place
    return block.number > final ? "unknown" : "in place"
  })

/**
 * Checks a network once. While the block of the last complete check is in its place, only transactions that became final
 * after it are read, by height and so many blocks at a time. It is replaced once the newest final transactions up to
 * the new one are in their blocks, so that a check that was interrupted is repeated.
 */
export const check = (network: Network, maxBlocks = maxBlocksDefault) =>
  Effect.gen(function*() {
    const store = yield* FinalCheckpointStore
    const chain = yield* (yield* Chains).get(network)
    // Read first: a reorg during the check moves this block, too, and the next check finds that.
    const number = yield* chain.finalBlock
    if (number < 0n) return
    const final = yield* BlockPlace.hashAt(chain, number)
    const before = Option.getOrUndefined(yield* store.read(network))
    const placeOfBefore = before === undefined ? "moved" : yield* placeOf(chain, number, before)
    if (placeOfBefore === "unknown") return
    const above = before !== undefined && placeOfBefore === "in place" ? before.number : -1n
    const points = yield* store.newestFinal(network, above, maxBlocks)
    const blocks = Object.values(Arr.groupBy(points, (each) => each.hash))
    const places = yield* Effect.forEach(
      blocks,
      (wallets) => Effect.map(placeOf(chain, number, wallets[0]), (place) => ({ place, wallets })),
      { concurrency: maxReads }
    )
    const moved = places.flatMap(({ place, wallets }) => place === "moved" ? wallets : [])
    const lanes = yield* GasWallet.client
    yield* Effect.forEach(
      moved,
      ({ wallet }) => Effect.ignore(Effect.timeout(lanes(idOf(network, wallet)).recheck(), "2 seconds")),
      { concurrency: 16, discard: true }
    )
    if (!places.every(({ place }) => place === "in place")) return
    const newest = points.at(-1)
    // More blocks may follow the last one of a full list; the next check continues above it.
    const isFull = newest !== undefined && new Set(points.map((each) => each.number)).size >= maxBlocks
    const checked = isFull ? newest : { number, hash: final }
    if (typeof checked.hash === "string") yield* store.record(network, { number: checked.number, hash: checked.hash })
  }).pipe(Effect.withSpan("FinalityWatch.check", { attributes: { network } }, { captureStackTrace: false }))
