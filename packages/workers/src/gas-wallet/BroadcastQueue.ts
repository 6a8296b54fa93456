/** Bytes on their way to the nodes: one after the other in the order of their nonces, as a node that sees a gap may hold the followers back. */
import type { Attempt } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import type { Scope } from "effect/Scope"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as InFlight from "./InFlight.ts"

export interface BroadcastQueue {
  /** Whoever offers does not wait for the node: the bytes are committed, and offered again until their fate is certain. */
  readonly offer: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<void>
  /** Waits until a node has answered for everything that was offered, or none has. */
  readonly drained: Effect.Effect<void>
}

/** Bytes handed to the nodes together. */
const batchSize = 200

/** `handed` is told what has gone out, before anybody who waits goes on. */
export const make = (chain: ChainClient, handed: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<void>): Effect.Effect<BroadcastQueue, never, Scope> =>
  Effect.gen(function*() {
    const queue = yield* Queue.unbounded<Attempt>()
    const empty = yield* Latch.make(true)
    const hand = Effect.gen(function*() {
      const attempts = Array.from(yield* Queue.takeBetween(queue, 1, batchSize))
      yield* Effect.catchCause(InFlight.broadcast(chain, attempts), (cause) => Effect.logWarning("bytes were not handed over", cause))
      yield* handed(attempts)
      if ((yield* Queue.size(queue)) <= 0) yield* empty.open
    })
    yield* Effect.forkScoped(Effect.forever(hand))
    return {
      offer: (attempts) =>
        Effect.suspend(() => {
          if (attempts.length > 0) empty.closeUnsafe()
          return Queue.offerAll(queue, attempts)
        }),
      drained: empty.await
    }
  })
