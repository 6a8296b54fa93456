/** Asking an actor: it answers, fails by its own word, or cannot be reached in time. */
import type { AlreadyProcessingMessage, MailboxFull, PersistenceError } from "@effect/cluster/ClusterError"
import { ExecutionFailure, type Failure } from "@vault-trader/core/endpoint/Failure"
import * as Effect from "effect/Effect"

type Unreachable = AlreadyProcessingMessage | MailboxFull | PersistenceError

/** How long a read may take before the caller is told to try again. */
const patience = "20 seconds"

/** An actor's answer to a read; what keeps it from answering is told as 2021 or 2020. Nothing was accepted. */
export const answered = <A, E extends Failure, R>(
  asked: Effect.Effect<A, E | Unreachable, R>
): Effect.Effect<A, Failure, R> =>
  asked.pipe(
    Effect.timeoutFail({
      duration: patience,
      onTimeout: () =>
        new ExecutionFailure({ errorType: "rpc_unavailable", message: "The service did not answer in time; nothing was sent. Try again." })
    }),
    Effect.catchAll((failure): Effect.Effect<never, Failure> => {
      switch (failure._tag) {
        case "ValidationFailure":
        case "ExecutionFailure":
          return Effect.fail(failure)
        default:
          return new ExecutionFailure({ errorType: "busy", message: "The service is busy; nothing was accepted. Try again in a moment." })
      }
    })
  )
