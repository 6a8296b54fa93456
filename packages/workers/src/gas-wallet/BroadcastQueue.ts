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
import type { RecordAttempts } from "./AttemptRecord.ts"
import * as BroadcastRoute from "./BroadcastRoute.ts"
import type { Reactions } from "./InFlight.ts"

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

interface Options extends Reactions {
  /** Returns the attempts that may be broadcast, once they are in the signing record. */
  readonly record: RecordAttempts
  readonly flightOf: BroadcastRoute.FlightOf
  /** Called with all attempts whose turn it was, before waiters on `drained` resume. */
  readonly onSent: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<void>
}

export const make = (
  chain: ChainClient,
  { flightOf, onSent, record, ...reactions }: Options
): Effect.Effect<BroadcastQueue, never, Scope> =>
  Effect.gen(function*() {
    const queue = yield* Queue.unbounded<Attempt>()
    const empty = yield* Latch.make(true)
    const broadcastBatch = Effect.gen(function*() {
      const attempts = Array.from(yield* Queue.takeBetween(queue, 1, batchSize))
      const recorded = record(attempts)
      yield* Effect.catchCause(
        Effect.flatMap(recorded, (some) => BroadcastRoute.broadcast(chain, flightOf, some, reactions)),
        (cause) => Effect.logWarning("signed bytes were not broadcast", cause)
      )
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
