/** What every long-running command has in common: settings, one-sentence failures, telemetry, a graceful end on SIGINT and SIGTERM. */
import { sentence } from "@vault-trader/core/configuration/Setting"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { SqlError } from "effect/sql/SqlError"
import { run } from "./Command.ts"
import { configuration } from "./Configuration.ts"
import type { Settings } from "./Settings.ts"
import * as Telemetry from "./Telemetry.ts"

/** One sentence; a database's own reason is inside its error. */
const messageOf = (failure: Error | Config.ConfigError): string => {
  if (failure instanceof Config.ConfigError) return sentence(failure)
  const cause = failure instanceof SqlError ? failure.reason.cause : failure.cause
  return cause instanceof Error && !failure.message.endsWith(cause.message) ? `${failure.message}: ${cause.message}` : failure.message
}

/** What Node itself warns of is a line of the log like any other. */
const warningsAsJson = Effect.sync(() => {
  process.removeAllListeners("warning")
  process.on("warning", ({ message, name }) =>
    process.stderr.write(`${JSON.stringify({ message: `${name}: ${message}`, level: "WARN", timestamp: new Date().toISOString(), annotations: { service: "node" }, spans: {}, fiberId: "" })}\n`))
})

/** Runs what the settings come to until it is told to stop; traces and metrics know it by the name. */
export const main = <A, E extends Error | Config.ConfigError>(
  application: (settings: Settings) => Layer.Layer<A, E>,
  serviceName = "vault-trader-devnet"
): void =>
  Effect.gen(function*() {
    yield* warningsAsJson
    const settings = yield* configuration
    return yield* Telemetry.launch(settings, serviceName)(application(settings))
  }).pipe(
    Effect.tapError((failure) => Effect.sync(() => process.stderr.write(`${messageOf(failure)}\n`))),
    run
  )
