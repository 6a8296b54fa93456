/** Properties whose cases are effects. */
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"

/** Holds for whatever these arbitraries give; dies with the smallest case for which it does not. */
export const holds = <Values extends [unknown, ...Array<unknown>], E, R>(
  arbitraries: { [K in keyof Values]: FastCheck.Arbitrary<Values[K]> },
  property: (...values: Values) => Effect.Effect<unknown, E, R>,
  options?: FastCheck.Parameters<Values>
): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty<Values>(
          ...arbitraries,
          (...values) => Effect.runPromiseWith(context)(Effect.asVoid(property(...values)))
        ),
        options
      )
    ))
