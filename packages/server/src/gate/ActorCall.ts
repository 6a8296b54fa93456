/** Asking an actor: it answers, fails by its own word, or cannot be reached in time. */
import { ExecutionFailure, type Failure } from "@vault-trader/core/failure/Failure"
import * as Cause from "effect/Cause"
import type { AlreadyProcessingMessage, EntityNotAssignedToRunner, MailboxFull, PersistenceError } from "effect/cluster/ClusterError"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import type { GracefulShutdown } from "./GracefulShutdown.ts"
import * as RequestState from "./RequestState.ts"

/** Why an actor did not get to its answer. */
export type Unreachable = AlreadyProcessingMessage | EntityNotAssignedToRunner | MailboxFull | PersistenceError

/** How long the database may take to answer one question. */
const patienceWithDatabase = "10 seconds"

/** Runs a step on a fiber of its own: who gives it up does not wait until it has been interrupted. */
export const disconnect = <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(step, { startImmediately: true }), (fiber) =>
      Effect.onInterrupt(restore(Fiber.join(fiber)), () => Effect.forkDetach(Fiber.interrupt(fiber), { startImmediately: true }))))

/**
 * Bounds a step by its own patience and by what is left of the request's budget. An interrupted statement waits until the database
 * has cancelled it, which a frozen database never does: the request does not wait for that.
 */
export const bounded = <A, E, R, E2>(
  step: Effect.Effect<A, E, R>,
  { onTimeout, patience }: { readonly patience: Duration.Input; readonly onTimeout: () => E2 }
): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(RequestState.within(patience), (duration) => Effect.timeoutOrElse(disconnect(step), { duration, orElse: () => Effect.fail(onTimeout()) }))

/** The failure of a database that says nothing. */
const databaseSilent = () => new SqlError({ reason: new ConnectionError({ cause: new Error("timeout"), message: "the database does not answer" }) })

/** What a store answers; a database that fails, or says nothing, is a defect, which the interpreter tells as what it is. */
export const query = <A, R>(asked: Effect.Effect<A, SqlError, R>): Effect.Effect<A, never, R> =>
  Effect.orDie(bounded(asked, { patience: patienceWithDatabase, onTimeout: databaseSilent }))

/** How long a read may take before the caller is told to try again. */
const patience = "20 seconds"

const busy = new ExecutionFailure({ errorType: "busy", message: "The service is busy; nothing was accepted. Try again in a moment." })

/** An actor that did not answer in time. */
class Silence extends Data.TaggedError("Silence") {}

const asking = (told: { readonly interrupted: Effect.Effect<never, ExecutionFailure>; readonly silent: Effect.Effect<never, ExecutionFailure> }) =>
  <A, E extends Failure, R>(asked: Effect.Effect<A, E | Unreachable, R>, duration: Duration.Input = patience): Effect.Effect<A, Failure, R> =>
    bounded(asked, { patience: duration, onTimeout: () => new Silence() }).pipe(
      Effect.catch((failure): Effect.Effect<never, Failure> => {
        switch (failure._tag) {
          case "ValidationFailure":
          case "ExecutionFailure":
            return Effect.fail(failure)
          case "Silence":
            return told.silent
          // This process ends. The message may lie in the database, and be carried out by another one.
          case "EntityNotAssignedToRunner":
            return told.interrupted
          default:
            return busy
        }
      }),
      // An actor that ends on the way, because its runner does or loses the database, interrupts its callers. Ours would not get here.
      Effect.catchCause((cause) => Cause.hasInterruptsOnly(cause) ? told.interrupted : Effect.failCause(cause))
    )

/** An actor's answer to a read; what keeps it from answering is told as 2021 or 2020. Nothing was accepted. */
export const read = asking({
  interrupted: busy,
  silent: new ExecutionFailure({ errorType: "rpc_unavailable", message: "The service did not answer in time; nothing was sent. Try again." })
})

const uncertain = "so it is not known whether the change was made. Look, or make it again."

const changing = asking({
  interrupted: Effect.andThen(
    RequestState.note("doubtful"),
    new ExecutionFailure({ errorType: "busy", message: `The service was interrupted on the way, ${uncertain}` })
  ),
  silent: Effect.andThen(
    RequestState.note("doubtful"),
    new ExecutionFailure({ errorType: "rpc_unavailable", message: `The service did not answer in time, ${uncertain}` })
  )
})

/** An actor's answer to a change of what it keeps. One that ends on the way, or is late, may have made it: 2021 and 2020 say so. */
export const write: typeof changing = (asked, duration) => Effect.andThen(RequestState.note("offered"), changing(asked, duration))

/** How soon an actor that has moved is asked again. */
const again = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("1 second")])

/** An actor that ends on the way, because its runner does or another one has taken it over, interrupts its callers; it lives on elsewhere. */
const followOwner = <A, E, R>(asked: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  asked.pipe(Effect.sandbox, Effect.retry({ schedule: again, while: Cause.hasInterruptsOnly }), Effect.catch(Effect.failCause))

/**
 * What an actor makes of something that is committed, so that asking again repeats nothing. None when that takes longer than the
 * request may, when this process ends, or when the actor fails: the answer is then `pending`, never a failure.
 */
export const awaitOutcome = <A, E, R>(
  asked: Effect.Effect<A, E, R>,
  { ending, seconds }: { readonly ending: GracefulShutdown["Service"]; readonly seconds: number }
): Effect.Effect<Option.Option<A>, never, R> =>
  Effect.flatMap(RequestState.within(`${seconds} seconds`), (duration) =>
    Effect.raceFirst(
      disconnect(Effect.asSome(followOwner(asked))),
      Effect.as(Effect.timeoutOption(ending.started, duration), Option.none())
    )).pipe(
    // A bug of the actor's own is a defect here.
    Effect.catchCause((cause) => Effect.as(Effect.logDebug("an outcome is not waited for any more", cause), Option.none()))
  )
