/** What to do when a database or an actor does not answer about something that has to be done all the same: ask until it does. */
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { counted } from "@vault-trader/core/telemetry/DatabaseErrors"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"

const again = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

/** Repeats until it succeeds, at a pace that spares what is failing. The effect must be safe to repeat. */
export const retryForever = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> => Effect.orDie(Effect.retry(counted(effect), again))

/** The same for what may be refused: a refusal is an answer, nothing to ask again for. */
export const retryUnlessRefused = <A, E, R>(
  effect: Effect.Effect<A, E | ExecutionFailure, R>
): Effect.Effect<Result.Result<A, ExecutionFailure>, never, R> =>
  retryForever(Effect.matchEffect(effect, {
    onFailure: (failure): Effect.Effect<Result.Result<A, ExecutionFailure>, E> =>
      failure instanceof ExecutionFailure ? Effect.succeed(Result.fail(failure)) : Effect.fail(failure),
    onSuccess: (value) => Effect.succeed(Result.succeed(value))
  }))
