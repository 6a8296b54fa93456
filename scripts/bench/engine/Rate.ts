/** How many transactions a second reach a node, told by the node itself: the same watch for everyone who sends. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Counter } from "./BenchNode.ts"

/** Transactions a second from the first call on: until the node has all of them, until all are mined, until the sender is done with them. */
export interface Rates {
  readonly broadcast: number
  readonly mined: number
  readonly settled: number
}

/** Not all of them came: a client has lost some, or they wait behind a nonce that never came. */
export class Incomplete extends Data.TaggedError("Incomplete")<{
  readonly arrived: number
  readonly mined: number
  readonly expected: number
}> {}

/** So long nothing may come without the round being given up. */
const patienceSeconds = 60

/** Runs `work`, which sends `expected` transactions to the counters' contracts in whatever way, and looks at the nodes all the time. */
export const timed = <E, R>(
  counters: ReadonlyArray<Counter>,
  expected: number,
  work: Effect.Effect<unknown, E, R>
): Effect.Effect<Rates, E | Incomplete, R> =>
  Effect.gen(function*() {
    const began = performance.now()
    const seconds = () => (performance.now() - began) / 1000
    const working = yield* Effect.forkChild(Effect.map(work, seconds))
    const look = Effect.map(
      Effect.forEach(counters, ({ count }) => count, { concurrency: "unbounded" }),
      (counts) => ({
        arrived: counts.reduce((sum, { arrived }) => sum + arrived, 0),
        mined: counts.reduce((sum, { mined }) => sum + mined, 0)
      })
    )
    let broadcast: number | undefined
    let [seen, since] = [-1, 0]
    for (;;) {
      const { arrived, mined } = yield* look
      if (broadcast === undefined && arrived >= expected) broadcast = seconds()
      if (broadcast !== undefined && mined >= expected) break
      const over = working.pollUnsafe()
      if (over !== undefined && Exit.isFailure(over)) return yield* Effect.failCause(over.cause)
      if (arrived + mined !== seen) [seen, since] = [arrived + mined, seconds()]
      if (seconds() - since > patienceSeconds) {
        yield* Effect.forkDetach(Fiber.interrupt(working))
        return yield* new Incomplete({ arrived, mined, expected })
      }
      yield* Effect.sleep("10 millis")
    }
    const mined = seconds()
    const settled = yield* Fiber.join(working)
    // More than was asked for would be a transaction sent twice.
    const after = yield* look
    if (after.mined !== expected) return yield* new Incomplete({ ...after, expected })
    return { broadcast: expected / broadcast, mined: expected / mined, settled: expected / Math.max(settled, mined) }
  })
