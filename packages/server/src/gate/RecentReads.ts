/**
 * Answers of actors that many callers ask for and that seldom change, kept in this server for a short time. Failures are
 * not kept, and callers do not wait for each other's reads.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

interface Options {
  /** Maximum number of answers; the one that was stored first leaves. */
  readonly capacity: number
  /** How long an answer is used, milliseconds. */
  readonly millis: number
}

/** Returns the answer under a key from memory, or reads it and keeps it. */
export type RecentReads<A> = <E, R>(
  key: string,
  read: () => Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R>

/** Makes an empty memory of answers. */
export const make = <A>({ capacity, millis }: Options): RecentReads<A> => {
  const known = new Map<string, { readonly answer: A; readonly at: number }>()
  const keep = (key: string, answer: A, at: number) => {
    known.delete(key)
    known.set(key, { answer, at })
    if (known.size > capacity) known.delete(known.keys().next().value ?? "")
  }
  return (key, read) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const found = known.get(key)
      // A clock that was set back makes every answer old.
      return found !== undefined && now >= found.at && now - found.at < millis
        ? Effect.succeed(found.answer)
        : Effect.tap(read(), (answer) => Effect.sync(() => keep(key, answer, now)))
    })
}
