/** The reason why the service cannot start, in one sentence the operator can act on. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class CannotStart extends Data.TaggedError("CannotStart")<{ readonly message: string }> {}

/** Replaces any failure of a layer by this sentence. */
export const explained = <A, E, R>(layer: Layer.Layer<A, E, R>, message: string): Layer.Layer<A, CannotStart, R> =>
  Layer.catch(layer, () => Layer.effectContext<A, CannotStart, never>(Effect.fail(new CannotStart({ message }))))
