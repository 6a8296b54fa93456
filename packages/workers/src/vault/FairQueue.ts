/**
 * The order in which intents of one queue run. A wallet's intents run one after the other. Intents of different wallets
 * also run one at a time, but only for a bounded time: a transaction may never be mined, and other wallets must not
 * wait for it.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type { Scope } from "effect/Scope"
import * as Semaphore from "effect/Semaphore"

interface FairQueue {
  /** Appends work to its wallet's queue. */
  readonly add: (wallet: Address, work: Effect.Effect<void>) => Effect.Effect<void>
}

/**
 * How long one wallet's work excludes that of other wallets: more than a block of any network. Work of a wallet
 * therefore waits at most this long for each other wallet that has work in the queue.
 */
const maxHold = "15 seconds"

export const make: Effect.Effect<FairQueue, never, Scope> = Effect.gen(function*() {
  const scope = yield* Effect.scope
  const floor = yield* Semaphore.make(1)
  const lines = new Map<Address, Queue.Queue<Effect.Effect<void>>>()

  const run = (work: Effect.Effect<void>) =>
    Effect.gen(function*() {
      yield* floor.take(1)
      let holds = true
      const release = Effect.suspend(() => {
        if (!holds) return Effect.void
        holds = false
        return Effect.asVoid(floor.release(1))
      })
      const bound = yield* Effect.forkChild(Effect.delay(release, maxHold))
      yield* work
      yield* release
      yield* Fiber.interrupt(bound)
    })

  const lineOf = (wallet: Address) =>
    Effect.suspend(() => {
      const known = lines.get(wallet)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.tap(Queue.unbounded<Effect.Effect<void>>(), (line) => {
        lines.set(wallet, line)
        return Queue.take(line).pipe(Effect.flatMap(run), Effect.forever, Effect.forkIn(scope))
      })
    })

  return { add: (wallet, work) => Effect.flatMap(lineOf(wallet), (line) => Effect.asVoid(Queue.offer(line, work))) }
})
