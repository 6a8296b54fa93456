import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"

/** That a predicate which asks services holds for all such values. */
export const holds = <A, E, R>(
  values: FastCheck.Arbitrary<A>,
  predicate: (value: A) => Effect.Effect<void, E, R>,
  parameters: FastCheck.Parameters<[A]> = {}
) =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.promise(() => FastCheck.assert(FastCheck.asyncProperty(values, (value) => Effect.runPromiseWith(context)(predicate(value))), parameters)))
