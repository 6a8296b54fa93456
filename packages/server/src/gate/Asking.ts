/** Asking an actor: it answers, fails by its own word, or cannot be reached in time. */
import type { AlreadyProcessingMessage, MailboxFull, PersistenceError } from "@effect/cluster/ClusterError"
import { SqlError } from "@effect/sql/SqlError"
import { ExecutionFailure, type Failure } from "@vault-trader/core/endpoint/Failure"
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { Ending } from "./Ending.ts"

/** Why an actor did not get to its answer. */
export type Unreachable = AlreadyProcessingMessage | MailboxFull | PersistenceError

/** How long the database may take to answer one question. */
const patienceWithDatabase = "10 seconds"

/** What a store answers; a database that fails, or says nothing, is a defect, which the interpreter tells as what it is. */
export const stored = <A, R>(asked: Effect.Effect<A, SqlError, R>): Effect.Effect<A, never, R> =>
  asked.pipe(
    Effect.timeoutFail({
      duration: patienceWithDatabase,
      onTimeout: () => new SqlError({ cause: new Error("timeout"), message: "the database does not answer" })
    }),
    Effect.orDie
  )

/** How long a read may take before the caller is told to try again. */
const patience = "20 seconds"

const busy = new ExecutionFailure({ errorType: "busy", message: "The service is busy; nothing was accepted. Try again in a moment." })

const asking = (told: { readonly interrupted: ExecutionFailure; readonly silent: ExecutionFailure }) =>
  <A, E extends Failure, R>(asked: Effect.Effect<A, E | Unreachable, R>, duration: Duration.DurationInput = patience): Effect.Effect<A, Failure, R> =>
    asked.pipe(
      Effect.timeoutFail({ duration, onTimeout: () => told.silent }),
      Effect.catchAll((failure): Effect.Effect<never, Failure> => {
        switch (failure._tag) {
          case "ValidationFailure":
          case "ExecutionFailure":
            return Effect.fail(failure)
          default:
            return busy
        }
      }),
      // An actor that ends on the way, because its runner does or loses the database, interrupts its callers. Ours would not get here.
      Effect.catchAllCause((cause) => Cause.isInterruptedOnly(cause) ? told.interrupted : Effect.failCause(cause))
    )

/** An actor's answer to a read; what keeps it from answering is told as 2021 or 2020. Nothing was accepted. */
export const answered = asking({
  interrupted: busy,
  silent: new ExecutionFailure({ errorType: "rpc_unavailable", message: "The service did not answer in time; nothing was sent. Try again." })
})

const uncertain = "so it is not known whether the change was made. Look, or make it again."

/** An actor's answer to a change of what it keeps. One that ends on the way, or is late, may have made it: 2021 and 2020 say so. */
export const changed = asking({
  interrupted: new ExecutionFailure({ errorType: "busy", message: `The service was interrupted on the way, ${uncertain}` }),
  silent: new ExecutionFailure({ errorType: "rpc_unavailable", message: `The service did not answer in time, ${uncertain}` })
})

/** How soon an actor that has moved is asked again. */
const again = Schedule.exponential("100 millis").pipe(Schedule.union(Schedule.spaced("1 second")))

/** An actor that ends on the way, because its runner does or another one has taken it over, interrupts its callers; it lives on elsewhere. */
const whereverItIs = <A, E, R>(asked: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  asked.pipe(Effect.sandbox, Effect.retry({ schedule: again, while: Cause.isInterruptedOnly }), Effect.unsandbox)

/**
 * What an actor makes of something that is committed, so that asking again repeats nothing. None when that takes longer, when this
 * process ends, or when the actor fails: the answer is then `pending`, never a failure.
 */
export const awaited = <A, E, R>(
  asked: Effect.Effect<A, E, R>,
  { ending, seconds }: { readonly ending: Ending["Type"]; readonly seconds: number }
): Effect.Effect<Option.Option<A>, never, R> =>
  Effect.raceFirst(Effect.asSome(whereverItIs(asked)), Effect.as(Effect.timeoutOption(ending.begun, `${seconds} seconds`), Option.none())).pipe(
    // A bug of the actor's own is a defect here.
    Effect.catchAllCause((cause) => Effect.as(Effect.logDebug("an outcome is not waited for any more", cause), Option.none()))
  )
