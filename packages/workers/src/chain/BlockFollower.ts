/** Tells when the head moves. Polls only while somebody waits, so an idle network costs no call. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { Scope } from "effect/Scope"
import type { RpcFailure } from "./RpcFailure.ts"

interface Waiter {
  readonly above: bigint
  readonly done: Deferred.Deferred<bigint>
}

export interface BlockFollower {
  /** Waits for a block above the given one, and answers its number. */
  readonly blockAfter: (block: bigint) => Effect.Effect<bigint>
}

export const make = (
  blockNumber: Effect.Effect<bigint, RpcFailure>,
  pollMillis: number
): Effect.Effect<BlockFollower, never, Scope> =>
  Effect.gen(function*() {
    const waiters = yield* Ref.make<ReadonlyArray<Waiter>>([])
    const wake = yield* Effect.makeLatch(false)

    const poll = Effect.gen(function*() {
      const head = yield* blockNumber
      const reached = yield* Ref.modify(waiters, (all) => [
        all.filter(({ above }) => above < head),
        all.filter(({ above }) => above >= head)
      ])
      yield* Effect.forEach(reached, ({ done }) => Deferred.succeed(done, head), { discard: true })
    })

    yield* Effect.gen(function*() {
      yield* wake.await
      // A node that cannot be reached now is asked again at the next turn.
      yield* Effect.ignore(poll)
      yield* Effect.sleep(pollMillis)
      // Closed before looking: whoever begins to wait in between opens it again.
      yield* wake.close
      if ((yield* Ref.get(waiters)).length > 0) yield* wake.open
    }).pipe(Effect.forever, Effect.forkScoped)

    return {
      blockAfter: (above) =>
        Effect.gen(function*() {
          const done = yield* Deferred.make<bigint>()
          const waiter = { above, done }
          yield* Ref.update(waiters, (all) => [...all, waiter])
          yield* wake.open
          return yield* Effect.onInterrupt(
            Deferred.await(done),
            () => Ref.update(waiters, (all) => all.filter((other) => other !== waiter))
          )
        })
    }
  })
