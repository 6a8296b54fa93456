/** Waiting for something that will be, however long the machine takes. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/** Dies when it takes more than four minutes, saying what was waited for. */
export const within = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.timeoutOrElse(effect, { duration: "4 minutes", orElse: () => Effect.failCause(Cause.die(new Error(`waited four minutes for ${what}`))) })

/** Looks again and again until there is something to see. */
export const until = <A, E, R>(what: string, look: Effect.Effect<A | undefined, E, R>): Effect.Effect<A, E, R> => {
  const again: Effect.Effect<A, E, R> = Effect.flatMap(look, (found) =>
    found === undefined ? Effect.andThen(Effect.sleep("20 millis"), again) : Effect.succeed(found))
  return within(what, again)
}
