/**
 * Finds wallets whose newest final transaction a deep reorg has removed from its block, and has their lanes read their
 * final transactions again: a lane that has nothing to do, or that is quarantined, reads no block by itself.
 */
import { type BlockPoint, FinalCheckpointStore } from "@vault-trader/core/gas-wallet/FinalCheckpointStore"
import type { Network } from "@vault-trader/core/chain/Network"
import { GasWallet, idOf } from "@vault-trader/core/gas-wallet/GasWallet"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Chains } from "../chain/Chains.ts"

/** Maximum number of blocks that are read at the same time. */
const maxReads = 100

/**
 * Checks a network once. While the block of the last complete check is in its place, only transactions that became final
 * after it are read. It is replaced once every wallet's newest final transaction is in its block, so that a check that
 * was interrupted is repeated.
 */
export const check = (network: Network) =>
  Effect.gen(function*() {
    const store = yield* FinalCheckpointStore
    const chain = yield* (yield* Chains).get(network)
    /** Reads the hashes that endpoints have at a height, at this moment. */
    const hashesAt = (height: bigint) =>
      Effect.map(chain.blockHashesEverywhere(height), (all) => Arr.dedupe(all.filter((each) => each !== null)))
    const isInPlace = ({ hash, number }: BlockPoint) =>
      Effect.map(hashesAt(number), ([first, ...others]) => first === hash && others.length === 0)
    // Read first: a reorg during the check moves this block, too, and the next check finds that.
    const number = yield* chain.finalBlock
    if (number < 0n) return
    const [hash, ...others] = yield* hashesAt(number)
    const before = Option.getOrUndefined(yield* store.read(network))
    const above = before !== undefined && (yield* isInPlace(before)) ? before.number : -1n
    const blocks = Object.values(Arr.groupBy(yield* store.newestFinal(network, above), (each) => each.hash))
    const moved = (yield* Effect.forEach(
      blocks,
      (wallets) => Effect.map(isInPlace(wallets[0]), (inPlace) => inPlace ? [] : wallets),
      { concurrency: maxReads }
    )).flat()
    const lanes = yield* GasWallet.client
    yield* Effect.forEach(
      moved,
      ({ wallet }) => Effect.ignore(Effect.timeout(lanes(idOf(network, wallet)).recheck(), "2 seconds")),
      { concurrency: 16, discard: true }
    )
    if (moved.length === 0 && hash !== undefined && others.length === 0) yield* store.record(network, { number, hash })
  }).pipe(Effect.withSpan("FinalityWatch.check", { attributes: { network } }, { captureStackTrace: false }))
