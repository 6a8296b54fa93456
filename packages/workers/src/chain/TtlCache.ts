/** Caches a value for a time: it is read once, shared by all callers, and read again when it has expired. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/**
 * Returns two readers of one value: `fresh` always reads, `recent` accepts a success younger than `millis`. Failures
 * are not cached.
 */
export const freshAndCached = <A, E, R>(effect: Effect.Effect<A, E, R>, millis: number) =>
  Effect.map(Semaphore.make(1), (mutex) => {
    let last: { readonly value: A; readonly at: number } | undefined
    const fresh = Effect.gen(function*() {
      const at = yield* Clock.currentTimeMillis
      const value = yield* effect
      last = { value, at }
      return value
    })
    const cached = Effect.map(
      Clock.currentTimeMillis,
      (now) => last !== undefined && now - last.at < millis ? last : undefined
    )
    // Callers that find it expired at the same time share one read.
    const recent = mutex.withPermits(1)(
      Effect.flatMap(cached, (found) => found === undefined ? fresh : Effect.succeed(found.value))
    )
    return { fresh, recent }
  })

/** Returns only the cached reader. */
export const make = <A, E, R>(effect: Effect.Effect<A, E, R>, millis: number): Effect.Effect<Effect.Effect<A, E, R>> =>
  Effect.map(freshAndCached(effect, millis), ({ recent }) => recent)

/** The same by key, for the newest `capacity` keys. */
export const keyed = <A, E>(millis: number, capacity: number) => {
  const readings = new Map<string, Effect.Effect<A, E>>()
  return (key: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.gen(function*() {
      const reading = readings.get(key) ?? (yield* make(effect, millis))
      readings.set(key, reading)
      if (readings.size > capacity) readings.delete(readings.keys().next().value ?? key)
      return yield* reading
    })
}

/**
 * The same by key, but a caller that finds the value expired reads it itself and waits for no other caller. For callers
 * that may hold a resource which the other caller waits for.
 */
export const keyedUnshared = <A>(millis: number, capacity: number) => {
  const readings = new Map<string, { readonly value: A; readonly at: number }>()
  return <E, R>(key: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (at) => {
      const found = readings.get(key)
      if (found !== undefined && at - found.at < millis) return Effect.succeed(found.value)
      return Effect.map(effect, (value) => {
        readings.delete(key)
        readings.set(key, { value, at })
        if (readings.size > capacity) readings.delete(readings.keys().next().value ?? key)
        return value
      })
    })
}
