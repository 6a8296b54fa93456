/**
 * Finds wallets whose newest final transaction a deep reorg has removed from its block, and has their lanes read their
 * final transactions again: a lane that has nothing to do, or that is quarantined, reads no block by itself.
 */
import { type BlockPoint, FinalCheckpointStore } from "@vault-trader/core/gas-wallet/FinalCheckpointStore"
import type { Hash } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { GasWallet, idOf } from "@vault-trader/core/gas-wallet/GasWallet"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Chains } from "../chain/Chains.ts"

/** Maximum number of blocks that are read at the same time. */
const maxReads = 100

/**
 * Reads the hash that most endpoints have at a height, at least two of several; null where none of those that answer has
 * such a block, undefined where they do not agree or none answers.
 */
const hashAt = (chain: ChainClient, height: bigint): Effect.Effect<Hash | null | undefined> =>
  Effect.map(chain.blockHashesEverywhere(height), (answers) => {
    if (answers.length > 0 && answers.every((each) => each === null)) return null
    const votes = Object.values(Arr.groupBy(answers.filter((each) => each !== null), (each) => each))
    const [first, second] = votes.sort((one, other) => other.length - one.length)
    return first === undefined || first.length < chain.quorum || first.length === second?.length ? undefined : first[0]
  })

/**
 * Reads whether a block that was final is in its place. One liar decides nothing. Where nodes no longer have a block that
 * old, they say nothing against it; above the newest final one, `final`, it may be of a branch that has not grown back.
 */
const placeOf = (chain: ChainClient, final: bigint, { hash, number }: BlockPoint) =>
  Effect.map(hashAt(chain, number), (now) => {
    if (now === undefined || (now === null && number > final)) return "unknown"
    return now === null || now === hash ? "in place" : "moved"
  })

/**
 * Checks a network once. While the block of the last complete check is in its place, only transactions that became final
 * after it are read. It is replaced once every wallet's newest final transaction is in its block, so that a check that
 * was interrupted is repeated.
 */
export const check = (network: Network) =>
  Effect.gen(function*() {
    const store = yield* FinalCheckpointStore
    const chain = yield* (yield* Chains).get(network)
    // Read first: a reorg during the check moves this block, too, and the next check finds that.
    const number = yield* chain.finalBlock
    if (number < 0n) return
    const final = yield* hashAt(chain, number)
    const before = Option.getOrUndefined(yield* store.read(network))
    const placeOfBefore = before === undefined ? "moved" : yield* placeOf(chain, number, before)
    if (placeOfBefore === "unknown") return
    const above = before !== undefined && placeOfBefore === "in place" ? before.number : -1n
    const blocks = Object.values(Arr.groupBy(yield* store.newestFinal(network, above), (each) => each.hash))
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
    const isComplete = places.every(({ place }) => place === "in place")
    if (isComplete && typeof final === "string") yield* store.record(network, { number, hash: final })
  }).pipe(Effect.withSpan("FinalityWatch.check", { attributes: { network } }, { captureStackTrace: false }))
