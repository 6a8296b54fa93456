/**
 * Tracks mined transactions that a reorg may still remove: re-reads them after each reorg, and makes them final once
 * they are deep enough. A deeper reorg is possible: after each reorg the final transactions of recent blocks are
 * re-read, too.
 */
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Block } from "../chain/BlockFollower.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import * as InFlight from "./InFlight.ts"
import type { Lane } from "./Replacement.ts"
import { retryForever } from "../actor/Retry.ts"

export interface MinedTransaction {
  readonly flight: InFlight.InFlight
  readonly receipt: Receipt
}

export interface FinalityTracker {
  readonly has: (key: string) => boolean
  readonly size: () => number
  /** Adds a transaction that was just seen in a block. */
  readonly add: (landed: MinedTransaction) => void
  /**
   * Makes the next check re-read all of them, even without a reorg: another owner saw them mined, or this one did
   * earlier.
   */
  readonly invalidate: () => void
  /** Checks all of them after a reorg or `invalidate`, else only those that are deep enough to be final. */
  readonly check: (head: Block) => Effect.Effect<void, RpcFailure>
}

/**
 * `moved`: every endpoint that answers has another block at that height. `unknown`: no such block yet, or endpoints
 * differ.
 */
type Standing = "stands" | "moved" | "unknown"

export const make = ({ chain, network, store, wallet }: Lane, told: {
  /** Called after a reorg has removed a transaction and its row has been updated. */
  readonly removed: (flight: InFlight.InFlight) => Effect.Effect<void>
  /** Called when rows were not made final as expected: they show which transactions must still be tracked. */
  readonly moved: Effect.Effect<void>
}): FinalityTracker => {
  const landed = new Map<string, MinedTransaction>()
  let seenReorgs = 0
  let invalidations = 0
  /** The invalidations that a complete check has covered; one that arrives during a check is covered by the next. */
  let coveredInvalidations = 0

  const finalize = (final: ReadonlyArray<MinedTransaction>) =>
    Effect.gen(function*() {
      if (final.length === 0) return
      const settled = yield* retryForever(store.finalize(final.map(({ flight }) => flight.key)))
      for (const { flight } of final) landed.delete(flight.key)
      // Another owner that was suspended may have reverted one because of an outdated observation.
      if (settled.size < final.length) yield* told.moved
    })

  const revert = ({ flight, receipt }: MinedTransaction) =>
    Effect.gen(function*() {
      yield* retryForever(store.revertMined(flight.key, receipt.blockHash))
      yield* Metrics.count(Metrics.reorged, { network })
      landed.delete(flight.key)
      yield* told.removed(flight)
    })

  /**
   * Reads whether a block still exists. Absence proves nothing: it is replaced only if every endpoint with its height
   * has another one.
   */
  const standingOf = ({ blockHash, blockNumber }: Receipt): Effect.Effect<Standing, RpcFailure> =>
    Effect.gen(function*() {
      if ((yield* chain.blockHash(blockNumber)) === blockHash) return "stands"
      const others = (yield* chain.blockHashesEverywhere(blockNumber)).filter((other) => other !== null)
      return others.length > 0 && others.every((other) => other !== blockHash) ? "moved" : "unknown"
    })

  /**
   * Tracks final transactions again if a deep reorg has removed them. While the newest of them is in its block, all of
   * them are.
   */
  const trackFinalAgain = Effect.gen(function*() {
    const [newest, ...others] = yield* retryForever(store.recentFinal(network, wallet))
    const receipt = newest?.submission.receipt ?? null
    if (newest === undefined || receipt === null || (yield* standingOf(receipt)) === "stands") return
    const now = yield* Clock.currentTimeMillis
    for (const { attempts, submission } of [newest, ...others]) {
      const flight = InFlight.make(attempts, submission, now)
      if (flight === undefined || submission.receipt === null || landed.has(submission.key)) continue
      landed.set(submission.key, { flight, receipt: submission.receipt })
    }
  })

  return {
    has: (key) => landed.has(key),
    size: () => landed.size,
    add: (each) => {
      landed.set(each.flight.key, each)
    },
    invalidate: () => {
      invalidations += 1
    },
    check: (head) =>
      Effect.gen(function*() {
        const pendingInvalidations = invalidations
        const reorgs = yield* chain.reorgs
        const checkAll = seenReorgs !== reorgs || coveredInvalidations !== pendingInvalidations
        const deep = ({ receipt }: MinedTransaction) =>
          head.number - receipt.blockNumber >= BigInt(chain.book.finalityDepth)
        if (checkAll) yield* trackFinalAgain
        const due = Array.from(landed.values()).filter((each) => checkAll || deep(each))
        // One read per block decides for every transaction in it.
        const receipts = Arr.dedupeWith(due.map(({ receipt }) => receipt), (one, other) =>
          one.blockHash === other.blockHash)
        const standings = new Map(
          yield* Effect.forEach(receipts, (receipt) =>
            Effect.map(standingOf(receipt), (standing) =>
              [receipt.blockHash, standing] as const), {
            concurrency: "unbounded"
          })
        )
        const of = (standing: Standing) =>
          due.filter(({ receipt }) =>
            standings.get(receipt.blockHash) === standing
          )
        yield* finalize(of("stands").filter(deep))
        for (const each of of("moved")) {
          const { flight } = each
          const hashes = flight.attempts.map(({ hash }) => hash)
          const receipt = (yield* chain.receiptsAnywhere(hashes)).find(({ blockHash }) =>
            blockHash !== each.receipt.blockHash
          )
          if (receipt === undefined || !InFlight.sameEffects(each.receipt, receipt)) yield* revert(each)
          else {
            yield* retryForever(store.moved(flight.key, each.receipt.blockHash, receipt))
            landed.set(flight.key, { flight, receipt })
          }
        }
        seenReorgs = reorgs
        coveredInvalidations = pendingInvalidations
        // A block whose state is unknown is read again at the next block.
        if (of("unknown").length > 0) invalidations += 1
      })
  }
}
