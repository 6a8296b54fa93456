/**
 * Mined transactions that a reorg may still remove: read again after each reorg, final once they are deep enough. A reorg deeper than
 * that is possible: after each one, the final transactions of recent blocks are read again, too.
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
  /** Just seen in a block. */
  readonly add: (landed: MinedTransaction) => void
  /** Looks at all of them anew, whether or not a reorg was seen: what is here was seen by somebody else, or before. */
  readonly invalidate: () => void
  /** All of them after a reorg, else only what has become deep enough to be final. */
  readonly check: (head: Block) => Effect.Effect<void, RpcFailure>
}

/** `moved`: another block is there now, as far as every endpoint that answers knows. `unknown`: no such block yet, or endpoints differ. */
type Standing = "stands" | "moved" | "unknown"

export const make = ({ chain, network, store, wallet }: Lane, told: {
  /** A reorg has removed it, and its row says so. */
  readonly removed: (flight: InFlight.InFlight) => Effect.Effect<void>
  /** Rows that were to be final are not: they say what is still to be followed. */
  readonly moved: Effect.Effect<void>
}): FinalityTracker => {
  const landed = new Map<string, MinedTransaction>()
  let seenReorgs = 0
  let doubts = 0
  /** Doubts that a complete look has answered: one that comes while a look is under way is answered by the next. */
  let answered = 0

  const settleForGood = (final: ReadonlyArray<MinedTransaction>) =>
    Effect.gen(function*() {
      if (final.length === 0) return
      const settled = yield* retryForever(store.finalize(final.map(({ flight }) => flight.key)))
      for (const { flight } of final) landed.delete(flight.key)
      // An owner that slept may have taken one back by what it had seen before.
      if (settled.size < final.length) yield* told.moved
    })

  const takeBack = ({ flight, receipt }: MinedTransaction) =>
    Effect.gen(function*() {
      yield* retryForever(store.revertMined(flight.key, receipt.blockHash))
      yield* Metrics.count(Metrics.reorged, { network })
      landed.delete(flight.key)
      yield* told.removed(flight)
    })

  /** Absence of a block proves nothing: it counts as replaced only where every endpoint that has its height has another one. */
  const standingOf = ({ blockHash, blockNumber }: Receipt): Effect.Effect<Standing, RpcFailure> =>
    Effect.gen(function*() {
      if ((yield* chain.blockHash(blockNumber)) === blockHash) return "stands"
      const others = (yield* chain.blockHashesEverywhere(blockNumber)).filter((other) => other !== null)
      return others.length > 0 && others.every((other) => other !== blockHash) ? "moved" : "unknown"
    })

  /** Follows final transactions again where a deep reorg has removed them. While the newest of them stands, all of them do. */
  const recallFinal = Effect.gen(function*() {
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
      doubts += 1
    },
    check: (head) =>
      Effect.gen(function*() {
        const asked = doubts
        const reorgs = yield* chain.reorgs
        const all = seenReorgs !== reorgs || answered !== asked
        const deep = ({ receipt }: MinedTransaction) => head.number - receipt.blockNumber >= BigInt(chain.book.finalityDepth)
        if (all) yield* recallFinal
        const due = Array.from(landed.values()).filter((each) => all || deep(each))
        // One read a block: it decides for every transaction in it.
        const receipts = Arr.dedupeWith(due.map(({ receipt }) => receipt), (one, other) => one.blockHash === other.blockHash)
        const standings = new Map(yield* Effect.forEach(receipts, (receipt) =>
          Effect.map(standingOf(receipt), (standing) => [receipt.blockHash, standing] as const), { concurrency: "unbounded" }))
        const of = (standing: Standing) => due.filter(({ receipt }) => standings.get(receipt.blockHash) === standing)
        yield* settleForGood(of("stands").filter(deep))
        for (const each of of("moved")) {
          const { flight } = each
          const hashes = flight.attempts.map(({ hash }) => hash)
          const receipt = (yield* chain.receiptsAnywhere(hashes)).find(({ blockHash }) => blockHash !== each.receipt.blockHash)
          if (receipt === undefined || !InFlight.sameEffects(each.receipt, receipt)) yield* takeBack(each)
          else {
            yield* retryForever(store.moved(flight.key, each.receipt.blockHash, receipt))
            landed.set(flight.key, { flight, receipt })
          }
        }
        seenReorgs = reorgs
        answered = asked
        // An unknown standing is read again at the next block.
        if (of("unknown").length > 0) doubts += 1
      })
  }
}
