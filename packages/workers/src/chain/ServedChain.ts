/** Handlers of an actor on a runner that does not serve the actor's network. */
import type { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"

/**
 * Recovers from building an actor whose network is not configured on this runner. `notServed` builds its handlers, in
 * which `refuse` fails a call with the reason.
 */
export const orNotServed =
  <Refusing>(notServed: (refuse: () => ValidationFailure) => Refusing) =>
  <Handlers, R>(build: Effect.Effect<Handlers, ValidationFailure, R>): Effect.Effect<Handlers | Refusing, never, R> =>
    Effect.catch(build, (failure) => Effect.succeed(notServed(() => failure)))
