/**
 * Broadcasts signed bytes one after the other in nonce order: a node that sees a gap may hold back the transactions
 * after it.
 */
import type { Attempt } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import type { Scope } from "effect/Scope"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as InFlight from "./InFlight.ts"

export interface BroadcastQueue {
  /**
   * Queues bytes without waiting for a node: they are committed, and the tracker offers them again until their outcome
   * is certain.
   */
  readonly offer: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<void>
  /** Waits until the broadcast of everything offered has ended, whether a node answered or not. */
  readonly drained: Effect.Effect<void>
}

/** Maximum number of transactions broadcast together. */
const batchSize = 200

/** Makes a queue. `onSent` is called with the attempts that were broadcast, before waiters on `drained` resume. */
export const make = (
  chain: ChainClient,
  onSent: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<void>
): Effect.Effect<BroadcastQueue, never, Scope> =>
  Effect.gen(function*() {
    const queue = yield* Queue.unbounded<Attempt>()
    const empty = yield* Latch.make(true)
    const broadcastBatch = Effect.gen(function*() {
      const attempts = Array.from(yield* Queue.takeBetween(queue, 1, batchSize))
      yield* Effect.catchCause(InFlight.broadcast(chain, attempts), (cause) =>
        Effect.logWarning("signed bytes were not broadcast", cause))
      yield* onSent(attempts)
      if ((yield* Queue.size(queue)) <= 0) {
        yield* empty.open
      }
    })
    yield* Effect.forkScoped(Effect.forever(broadcastBatch))
    return {
      offer: (attempts) =>
        Effect.suspend(() => {
          if (attempts.length > 0) {
            empty.closeUnsafe()
          }
          return Queue.offerAll(queue, attempts)
        }),
      drained: empty.await
    }
  })
