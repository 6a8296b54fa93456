/**
 * A clock that can be stopped and set forward: stopped, nothing ages; set forward, everything does. Sleeps still end in
 * real time.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export interface ManualClock {
  readonly clock: Clock.Clock
  /** Runs an effect during which this clock stands still. */
  readonly held: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Sets the clock forward; it never goes back. */
  readonly forward: (millis: number) => Effect.Effect<void>
}

export const make = (): ManualClock => {
  const live = Clock.Clock.defaultValue()
  let [ahead, stopped] = [0, undefined as number | undefined]
  const now = () => (stopped ?? live.currentTimeMillisUnsafe()) + ahead
  const nanos = () => BigInt(Math.round(now())) * 1_000_000n
  return {
    clock: {
      sleep: (duration) => live.sleep(duration),
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos)
    },
    held: (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          stopped = live.currentTimeMillisUnsafe()
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
