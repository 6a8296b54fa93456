/** Runs a command of this project to its end, or until SIGINT or SIGTERM, on which it shuts down cleanly. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as CliError from "effect/cli/CliError"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ExpectedWarning from "./ExpectedWarning.ts"

/** Returns 0 for success and for an interruption, 2 for a command line that cannot be used, otherwise 1. */
const codeOf = (exit: Exit.Exit<unknown, unknown>): number =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)
    ? 0
    : exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && CliError.isCliError(reason.error))
    ? 2
    : 1

/** Runs the command and ends the process. Failures are not printed here: the command has reported them. */
export const run = <A, E>(command: Effect.Effect<A, E>): void => {
  ExpectedWarning.silence()
  NodeRuntime.runMain(command, { disableErrorReporting: true, teardown: (exit, end) => end(codeOf(exit)) })
}
