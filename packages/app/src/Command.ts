/** How a command of this project runs: to its end, or until SIGINT or SIGTERM, which end it well. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** Whoever was asked to end and did has not failed; why a command failed, it has said itself. */
export const run = <A, E>(command: Effect.Effect<A, E>): void =>
  NodeRuntime.runMain(command, {
    disableErrorReporting: true,
    teardown: (exit, end) => end(Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
  })
