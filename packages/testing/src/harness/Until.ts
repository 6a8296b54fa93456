/** Waiting for conditions, on a machine of any speed. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/** Dies with the name of what it waited for after four minutes. */
export const within = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.timeoutOrElse(effect, {
    duration: "4 minutes",
    orElse: () => Effect.failCause(Cause.die(new Error(`waited four minutes for ${what}`)))
  })

/** Polls until there is a value. */
export const until = <A, E, R>(what: string, look: Effect.Effect<A | undefined, E, R>): Effect.Effect<A, E, R> => {
  const again: Effect.Effect<A, E, R> = Effect.flatMap(
    look,
    (found) => found === undefined ? Effect.andThen(Effect.sleep("20 millis"), again) : Effect.succeed(found)
  )
  return within(what, again)
}
