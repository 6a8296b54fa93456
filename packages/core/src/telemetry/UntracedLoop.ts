/** Disables tracing for endless loops, except for the rounds that find work. */
import * as Effect from "effect/Effect"
import * as References from "effect/References"

/** Restores tracing to its previous state inside `withoutTracing`. */
type WithTracing = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Runs an effect without spans, except for the parts wrapped in `traced`. */
export const withoutTracing = <A, E, R>(
  make: (traced: WithTracing) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    References.TracerEnabled,
    (enabled) => Effect.withTracerEnabled(make((effect) => Effect.withTracerEnabled(effect, enabled)), false)
  )
