/** Calls of actors and stores with a timeout. An actor answers, fails, or cannot be reached in time. */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure, Failure } from "@vault-trader/core/failure/Failure"
import * as Cause from "effect/Cause"
import type {
  AlreadyProcessingMessage,
  EntityNotAssignedToRunner,
  MailboxFull,
  PersistenceError
} from "effect/cluster/ClusterError"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import type { GracefulShutdown } from "./GracefulShutdown.ts"
import * as RequestState from "../wire/RequestState.ts"

/** Reasons why an actor could not handle a call. */
export type Unreachable = AlreadyProcessingMessage | EntityNotAssignedToRunner | MailboxFull | PersistenceError

/** How long one database query may take. */
const databaseTimeout = "10 seconds"

/** Waits for a step on its separate fiber. A caller that gives up does not wait for the step's interruption. */
const joined = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<A, E> =>
  Effect.onInterrupt(Fiber.join(fiber), () => Effect.forkDetach(Fiber.interrupt(fiber), { startImmediately: true }))

/**
 * Starts a step on a separate fiber and continues with it, or at once with its result if it ended without waiting for
 * anything: such a step costs no timer and no further fiber.
 */
const detached = <A, E, R, B, E2, R2>(
  step: Effect.Effect<A, E, R>,
  wait: (step: Effect.Effect<A, E>) => Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.forkDetach(step, { startImmediately: true }),
      (fiber): Effect.Effect<A | B, E | E2, R2> => fiber.pollUnsafe() ?? restore(wait(joined(fiber)))
    )
  )

/** Runs a step on a separate fiber. A caller that gives up does not wait for the step's interruption. */
export const disconnect = <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  detached(step, (waiting) => waiting)

/** Runs a step on a separate fiber, and gives up after a time without waiting for the step's interruption. */
export const disconnectAfter = <A, E, R, A2, E2, R2>(
  step: Effect.Effect<A, E, R>,
  duration: Duration.Input,
  orElse: () => Effect.Effect<A2, E2, R2>
): Effect.Effect<A | A2, E | E2, R | R2> =>
  detached(step, (waiting) => Effect.timeoutOrElse(waiting, { duration, orElse }))

/**
 * Limits a step to its own timeout and to the request's remaining time. The request does not wait for the step's
 * interruption: an interrupted statement waits for the database to cancel it, which a frozen database never does.
 */
export const bounded = <A, E, R, E2>(
  step: Effect.Effect<A, E, R>,
  { onTimeout, timeout }: { readonly timeout: Duration.Input; readonly onTimeout: () => E2 }
): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(
    RequestState.within(timeout),
    (duration) => disconnectAfter(step, duration, () => Effect.fail(onTimeout()))
  )

/** The failure of a database that does not respond. */
const databaseSilent = () =>
  new SqlError({
    reason: new ConnectionError({ cause: new Error("timeout"), message: "the database does not answer" })
  })

/** Runs a database query. A failing or silent database is a defect, which the interpreter turns into a 503. */
export const query = <A, R>(statement: Effect.Effect<A, SqlError, R>): Effect.Effect<A, never, R> =>
  Effect.orDie(bounded(statement, { timeout: databaseTimeout, onTimeout: databaseSilent }))

/** Default timeout of a call. */
const defaultTimeout = "20 seconds"

const busy = explain({ _tag: "ServiceBusy" }, "nothingAccepted")

/** An actor that did not answer in time. */
class Silence extends Data.TaggedError("Silence") {}

const caller = (
  failures: {
    readonly interrupted: Effect.Effect<never, ExecutionFailure>
    readonly silent: Effect.Effect<never, ExecutionFailure>
  }
) =>
<A, E extends Failure, R>(
  call: Effect.Effect<A, E | Unreachable, R>,
  timeout: Duration.Input = defaultTimeout
): Effect.Effect<A, Failure, R> =>
  bounded(call, { timeout, onTimeout: () => new Silence() }).pipe(
    Effect.catch((failure): Effect.Effect<never, Failure> => {
      switch (failure._tag) {
        case "ValidationFailure":
        case "ExecutionFailure":
          return Effect.fail(failure)
        case "Silence":
          return failures.silent
        // This process is shutting down. The message may be stored in the database and handled by another process.
        case "EntityNotAssignedToRunner":
          return failures.interrupted
        default:
          return busy
      }
    }),
    // An actor that stops because its runner stops or loses the database interrupts its callers. Our caller's interrupt
    // never gets here.
    Effect.catchCause((cause) => Cause.hasInterruptsOnly(cause) ? failures.interrupted : Effect.failCause(cause))
  )

/** Calls an actor to read. Fails with 2021 or 2020 if the actor cannot answer; nothing was accepted then. */
export const read = caller({
  interrupted: busy,
  silent: explain({ _tag: "CallTimedOut" })
})

const callToChange = caller({
  interrupted: Effect.andThen(
    RequestState.note("doubtful"),
    explain({ _tag: "ChangeInterrupted" }, "unknown")
  ),
  silent: Effect.andThen(
    RequestState.note("doubtful"),
    explain({ _tag: "ChangeTimedOut" }, "unknown")
  )
})

/**
 * Calls an actor to change its state. If the actor stops or is late, it may have made the change; 2021 and 2020 say so.
 */
export const write: typeof callToChange = (call, timeout) =>
  Effect.andThen(RequestState.note("offered"), callToChange(call, timeout))

/** Retry schedule for an actor that has moved to another runner. */
const movedActorRetry = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("1 second")])

/**
 * Retries when the actor interrupts its callers, because it stops with its runner or moves; it continues on another
 * runner.
 */
const followOwner = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  call.pipe(
    Effect.sandbox,
    Effect.retry({ schedule: movedActorRetry, while: Cause.hasInterruptsOnly }),
    Effect.catch(Effect.failCause)
  )

/**
 * Waits for the outcome of a committed request; it is committed, so retrying the call repeats nothing. Returns none
 * when the request's time is over, this process is shutting down or the actor fails. The answer is then `pending`,
 * never a failure.
 */
export const awaitOutcome = <A, E, R>(
  call: Effect.Effect<A, E, R>,
  { ending, seconds }: { readonly ending: GracefulShutdown["Service"]; readonly seconds: number }
): Effect.Effect<Option.Option<A>, never, R> =>
  Effect.flatMap(RequestState.within(`${seconds} seconds`), (duration) =>
    Effect.raceFirst(
      disconnect(Effect.asSome(followOwner(call))),
      Effect.as(Effect.timeoutOption(ending.started, duration), Option.none())
    )).pipe(
      // A bug in the actor arrives here as a defect.
      Effect.catchCause((cause) => Effect.as(Effect.logDebug("stopped waiting for an outcome", cause), Option.none()))
    )
