/** What every long-running command has in common: settings, one-sentence failures, telemetry, a graceful end on SIGINT and SIGTERM. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { sentence } from "@vault-trader/core/configuration/Setting"
import * as ConfigError from "effect/Config"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { configuration } from "./Configuration.ts"
import type { Settings } from "./Settings.ts"
import * as Telemetry from "./Telemetry.ts"

/** One sentence; a database's own reason is inside its error. */
const messageOf = (failure: Error | ConfigError.ConfigError): string =>
  ConfigError.isConfigError(failure)
    ? sentence(failure)
    : failure.cause instanceof Error ? `${failure.message}: ${failure.cause.message}` : failure.message

/** What Node itself warns of is a line of the log like any other. */
const warningsAsJson = Effect.sync(() => {
  process.removeAllListeners("warning")
  process.on("warning", ({ message, name }) =>
    process.stderr.write(`${JSON.stringify({ message: `${name}: ${message}`, logLevel: "WARN", timestamp: new Date().toISOString(), annotations: { service: "node" }, spans: {}, fiberId: "" })}\n`))
})

/** Runs what the settings come to until it is told to stop; traces and metrics know it by the name. */
export const main = <A, E extends Error | ConfigError.ConfigError>(
  application: (settings: Settings) => Layer.Layer<A, E>,
  serviceName = "vault-trader-devnet"
): void =>
  Effect.gen(function*() {
    yield* warningsAsJson
    const settings = yield* configuration
    return yield* Telemetry.launch(settings, serviceName)(application(settings))
  }).pipe(
    Effect.tapError((failure) => Effect.sync(() => process.stderr.write(`${messageOf(failure)}\n`))),
    (effect) => NodeRuntime.runMain(effect, { disableErrorReporting: true, disablePrettyLogger: true })
  )
