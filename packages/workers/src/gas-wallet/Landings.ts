/** Mined transactions that a reorg may still remove: looked at after each reorg, final once none can reach them. */
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Block } from "../chain/BlockFollower.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import * as Flight from "./Flight.ts"
import type { Lane } from "./FurtherAttempt.ts"
import { persistently } from "./Persistence.ts"

export interface Landed {
  readonly flight: Flight.Flight
  readonly receipt: Receipt
}

export interface Landings {
  readonly has: (key: string) => boolean
  readonly size: () => number
  /** Just seen in a block. */
  readonly add: (landed: Landed) => void
  /** Looks at all of them anew, whether or not a reorg was seen: what is here was seen by somebody else, or before. */
  readonly doubt: () => void
  /** All of them after a reorg, else only what has become deep enough to be final. */
  readonly look: (head: Block) => Effect.Effect<void, RpcFailure>
}

export const make = ({ chain, network, store }: Lane, told: {
  /** A reorg has removed it, and its row says so. */
  readonly removed: (flight: Flight.Flight) => Effect.Effect<void>
  /** Rows that were to be final are not: they say what is still to be followed. */
  readonly moved: Effect.Effect<void>
}): Landings => {
  const landed = new Map<string, Landed>()
  let seenReorgs = 0

  const settleForGood = (final: ReadonlyArray<Landed>) =>
    Effect.gen(function*() {
      if (final.length === 0) return
      const settled = yield* persistently(store.finalise(final.map(({ flight }) => flight.key)))
      for (const { flight } of final) landed.delete(flight.key)
      // An owner that slept may have taken one back by what it had seen before.
      if (settled.size < final.length) yield* told.moved
    })

  const takeBack = ({ flight, receipt }: Landed) =>
    Effect.gen(function*() {
      yield* persistently(store.unmined(flight.key, receipt.blockHash))
      yield* Metrics.count(Metrics.reorged, { network })
      landed.delete(flight.key)
      yield* told.removed(flight)
    })

  return {
    has: (key) => landed.has(key),
    size: () => landed.size,
    add: (each) => {
      landed.set(each.flight.key, each)
    },
    doubt: () => {
      seenReorgs = -1
    },
    look: (head) =>
      Effect.gen(function*() {
        const reorgs = yield* chain.reorgs
        const all = seenReorgs !== reorgs
        const deep = ({ receipt }: Landed) => head.number - receipt.blockNumber >= BigInt(chain.book.finalityDepth)
        const due = Array.from(landed.values()).filter((each) => all || deep(each))
        // A block that still stands holds what it held: one question a block.
        const heights = Arr.dedupe(due.map(({ receipt }) => receipt.blockNumber))
        const standing = new Map(yield* Effect.forEach(heights, (height) =>
          Effect.map(chain.blockHash(height), (hash) => [height, hash] as const), { concurrency: "unbounded" }))
        const [moved, stay] = Arr.partition(due, ({ receipt }) => standing.get(receipt.blockNumber) === receipt.blockHash)
        yield* settleForGood(stay.filter(deep))
        for (const each of moved) {
          const { flight } = each
          const receipt = yield* Flight.receiptOf(chain, flight)
          if (Option.isNone(receipt) || !Flight.sameEffects(each.receipt, receipt.value)) yield* takeBack(each)
          else {
            yield* persistently(store.mined([{ key: flight.key, receipt: receipt.value }]))
            landed.set(flight.key, { flight, receipt: receipt.value })
          }
        }
        seenReorgs = reorgs
      })
  }
}
