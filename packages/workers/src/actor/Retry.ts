/** Retries of work that must complete although a database or an actor does not answer. */
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { countDatabaseErrors } from "@vault-trader/core/telemetry/DatabaseErrors"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"

const backoff = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

/** Retries with backoff until the effect succeeds. The effect must be safe to repeat. */
export const retryForever = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  Effect.orDie(Effect.retry(countDatabaseErrors(effect), backoff))

/** Like `retryForever`, but returns an `ExecutionFailure` as a result instead of retrying it. */
export const retryUnlessRefused = <A, E, R>(
  effect: Effect.Effect<A, E | ExecutionFailure, R>
): Effect.Effect<Result.Result<A, ExecutionFailure>, never, R> =>
  retryForever(Effect.matchEffect(effect, {
    onFailure: (failure): Effect.Effect<Result.Result<A, ExecutionFailure>, E> =>
      failure instanceof ExecutionFailure ? Effect.succeed(Result.fail(failure)) : Effect.fail(failure),
    onSuccess: (value) => Effect.succeed(Result.succeed(value))
  }))
