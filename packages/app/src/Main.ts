/**
 * Runs a long-running command: settings, failures in one sentence, telemetry, graceful shutdown on SIGINT and SIGTERM.
 */
import { sentence } from "@vault-trader/core/configuration/Setting"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { SqlError } from "effect/sql/SqlError"
import { configuration } from "./Configuration.ts"
import { isExpected } from "./ExpectedWarning.ts"
import type { Settings } from "./Settings.ts"
import { CannotStart } from "./StartupFailure.ts"
import * as Telemetry from "./Telemetry.ts"

/** Returns the failure in one sentence; the reason of a database failure is in its cause. */
const messageOf = (failure: Error | Config.ConfigError): string => {
  if (failure instanceof Config.ConfigError) return sentence(failure)
  const cause = failure instanceof SqlError ? failure.reason.cause : failure.cause
  return cause instanceof Error && !failure.message.endsWith(cause.message)
    ? `${failure.message}: ${cause.message}`
    : failure.message
}

/** Logs Node's own warnings as JSON lines. */
const warningsAsJson = Effect.sync(() => {
  process.removeAllListeners("warning")
  process.on("warning", (warning) => {
    const { message, name } = warning
    if (!isExpected(warning)) {
      process.stderr.write(
        `${
          JSON.stringify({
            message: `${name}: ${message}`,
            level: "WARN",
            timestamp: new Date().toISOString(),
            annotations: { service: "node" },
            spans: {},
            fiberId: ""
          })
        }\n`
      )
    }
  })
})

/** Runs the layer built from the settings until the process is stopped. `serviceName` identifies it in traces and metrics. */
export const main = <A, E extends Error | Config.ConfigError>(
  application: (settings: Settings) => Layer.Layer<A, E>,
  serviceName: string
): Effect.Effect<never, CannotStart> =>
  Effect.gen(function*() {
    yield* warningsAsJson
    const settings = yield* configuration
    return yield* Telemetry.launch(settings, serviceName)(application(settings))
  }).pipe(Effect.mapError((failure) => new CannotStart({ message: messageOf(failure) })))
