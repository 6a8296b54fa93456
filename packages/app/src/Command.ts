/** Runs a command of this project to its end, or until SIGINT or SIGTERM, on which it shuts down cleanly. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** Treats an interruption as success. Failures are not printed here: the command has reported them. */
export const run = <A, E>(command: Effect.Effect<A, E>): void =>
  NodeRuntime.runMain(command, {
    disableErrorReporting: true,
    teardown: (exit, end) => end(Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
  })
