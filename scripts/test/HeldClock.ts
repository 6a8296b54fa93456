/** A clock that can be held and set forward: meanwhile nothing grows old, or everything does, while whoever sleeps still wakes in time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export interface HeldClock {
  readonly clock: Clock.Clock
  /** Runs an effect in which no time passes for whoever looks at this clock. */
  readonly held: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** It never goes back. */
  readonly forward: (millis: number) => Effect.Effect<void>
}

export const make = (): HeldClock => {
  const live = Clock.make()
  let [ahead, stopped] = [0, undefined as number | undefined]
  const now = () => (stopped ?? live.unsafeCurrentTimeMillis()) + ahead
  const nanos = () => BigInt(Math.round(now())) * 1_000_000n
  return {
    clock: {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      sleep: (duration) => live.sleep(duration),
      unsafeCurrentTimeMillis: now,
      unsafeCurrentTimeNanos: nanos,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanos: Effect.sync(nanos)
    },
    held: (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          stopped = live.unsafeCurrentTimeMillis()
        }),
        () => effect,
        () =>
          Effect.sync(() => {
            stopped = undefined
          })
      ),
    forward: (millis) =>
      Effect.sync(() => {
        ahead += millis
      })
  }
}
