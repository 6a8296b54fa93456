/** Rounds that go on for ever leave spans only where they find something to do. */
import * as Effect from "effect/Effect"
import * as References from "effect/References"

/** Makes what is around it traced again as it was. */
export type WithTracing = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Without spans, but for what is done `loudly`. */
export const withoutTracing = <A, E, R>(make: (loudly: WithTracing) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(References.TracerEnabled, (traced) =>
    Effect.withTracerEnabled(make((effect) => Effect.withTracerEnabled(effect, traced)), false))
