/** A reading that is good for a while: asked once, shared by all who come meanwhile, asked again when it is too old. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * The effect's last success while it is younger than `millis`, else a fresh one. Failures are not kept. Callers who find it too old
 * at the same time ask together.
 */
export const make = <A, E, R>(effect: Effect.Effect<A, E, R>, millis: number): Effect.Effect<Effect.Effect<A, E, R>> =>
  Effect.map(Effect.makeSemaphore(1), (alone) => {
    let last: { readonly value: A; readonly at: number } | undefined
    return alone.withPermits(1)(Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      if (last !== undefined && now - last.at < millis) return last.value
      const value = yield* effect
      last = { value, at: now }
      return value
    }))
  })
