/** A reading that is good for a while: asked once, shared by all who come meanwhile, asked again when it is too old. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/** Two ways to the same reading: `fresh` always asks, `recent` is content with a success younger than `millis`. Failures are not kept. */
export const freshAndCached = <A, E, R>(effect: Effect.Effect<A, E, R>, millis: number) =>
  Effect.map(Semaphore.make(1), (alone) => {
    let last: { readonly value: A; readonly at: number } | undefined
    const fresh = Effect.gen(function*() {
      const at = yield* Clock.currentTimeMillis
      const value = yield* effect
      last = { value, at }
      return value
    })
    const kept = Effect.map(Clock.currentTimeMillis, (now) => last !== undefined && now - last.at < millis ? last : undefined)
    // Callers who find it too old at the same time ask together.
    const recent = alone.withPermits(1)(Effect.flatMap(kept, (found) => found === undefined ? fresh : Effect.succeed(found.value)))
    return { fresh, recent }
  })

/** Only the shared one of the two. */
export const make = <A, E, R>(effect: Effect.Effect<A, E, R>, millis: number): Effect.Effect<Effect.Effect<A, E, R>> =>
  Effect.map(freshAndCached(effect, millis), ({ recent }) => recent)

/** The same by key, of the newest so many keys. */
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

/** By key, too, but whoever finds it too old asks for itself and waits for nobody else: for those who may hold what the other one waits for. */
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
