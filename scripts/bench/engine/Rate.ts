/** Measures how many transactions a second reach a node, by the node's own count: the same for every client. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Counter } from "./BenchNode.ts"

/**
 * Transactions per second from the first call on: until the node has all of them, until all are mined, until the sender
 * has finished.
 */
export interface Rates {
  readonly broadcast: number
  readonly mined: number
  readonly settled: number
}

/** Some transactions are missing: the client lost them, or they wait behind a nonce that was never sent. */
export class Incomplete extends Data.TaggedError("Incomplete")<{
  readonly arrived: number
  readonly mined: number
  readonly expected: number
}> {}

/** A round is given up after this many seconds without a new transaction. */
const stallTimeoutSeconds = 60

/** Runs `work`, which sends `expected` transactions to the counters' contracts, and polls the nodes meanwhile. */
export const timed = <E, R>(
  counters: ReadonlyArray<Counter>,
  expected: number,
  work: Effect.Effect<unknown, E, R>
): Effect.Effect<Rates, E | Incomplete, R> =>
  Effect.gen(function*() {
    const began = performance.now()
    const seconds = () => (performance.now() - began) / 1000
    const working = yield* Effect.forkChild(Effect.map(work, seconds))
    const readCounts = Effect.map(
      Effect.forEach(counters, ({ count }) => count, { concurrency: "unbounded" }),
      (counts) => ({
        arrived: counts.reduce((sum, { arrived }) => sum + arrived, 0),
        mined: counts.reduce((sum, { mined }) => sum + mined, 0)
      })
    )
    let broadcast: number | undefined
    let [seen, since] = [-1, 0]
    for (;;) {
      const { arrived, mined } = yield* readCounts
      if (broadcast === undefined && arrived >= expected) broadcast = seconds()
      if (broadcast !== undefined && mined >= expected) break
      const over = working.pollUnsafe()
      if (over !== undefined && Exit.isFailure(over)) return yield* Effect.failCause(over.cause)
      if (arrived + mined !== seen) [seen, since] = [arrived + mined, seconds()]
      if (seconds() - since > stallTimeoutSeconds) {
        yield* Effect.forkDetach(Fiber.interrupt(working))
        return yield* new Incomplete({ arrived, mined, expected })
      }
      yield* Effect.sleep("10 millis")
    }
    const mined = seconds()
    const settled = yield* Fiber.join(working)
    // More than expected would mean a transaction was sent twice.
    const after = yield* readCounts
    if (after.mined !== expected) return yield* new Incomplete({ ...after, expected })
    return { broadcast: expected / broadcast, mined: expected / mined, settled: expected / Math.max(settled, mined) }
  })
