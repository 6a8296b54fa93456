/** Spans that cost nothing while no tracer is configured. */
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import type * as Tracer from "effect/Tracer"

/** Runs an effect where spans are recorded, and nothing elsewhere. */
export const whenRecorded = <E, R>(effect: Effect.Effect<void, E, R>): Effect.Effect<void, E, R> =>
  Effect.withFiber((fiber) => fiber.getRef(References.TracerEnabled) ? effect : Effect.void)

/** Runs an effect in a span where spans are recorded; elsewhere, the effect alone. */
export const withSpan =
  (name: string, options: Tracer.SpanOptionsNoTrace = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber<A, E, R>((fiber) =>
      fiber.getRef(References.TracerEnabled)
        ? Effect.withSpan(effect, name, { ...options, captureStackTrace: false })
        : effect
    )
