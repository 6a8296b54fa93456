import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"

/** Asserts that a predicate with services holds for all these values. */
export const holds = <A, E, R>(
  values: FastCheck.Arbitrary<A>,
  predicate: (value: A) => Effect.Effect<void, E, R>,
  parameters: FastCheck.Parameters<[A]> = {}
) =>
  Effect.flatMap(
    Effect.context<R>(),
    (context) =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(values, (value) => Effect.runPromiseWith(context)(predicate(value))),
          parameters
        )
      )
  )
