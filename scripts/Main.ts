/** What every long-running command has in common: settings, one-sentence failures, JSON logs, a graceful end on SIGINT and SIGTERM. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { sentence } from "@vault-trader/core/configuration/Setting"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { Settings } from "./Settings.ts"
import { CannotStart } from "./Stop.ts"

/** One sentence; a database's own reason is inside its error. */
const messageOf = (failure: Error | ConfigError.ConfigError): string =>
  ConfigError.isConfigError(failure)
    ? sentence(failure)
    : failure.cause instanceof Error ? `${failure.message}: ${failure.cause.message}` : failure.message

/** Runs what the settings come to until it is told to stop. */
export const main = <A, E extends Error | ConfigError.ConfigError>(application: (settings: Settings) => Layer.Layer<A, E>): void =>
  Effect.gen(function*() {
    const settings = yield* Effect.mapError(Settings, (error) => new CannotStart({ message: sentence(error) }))
    return yield* Layer.launch(application(settings)).pipe(Logger.withMinimumLogLevel(settings.service.logLevel))
  }).pipe(
    Effect.tapError((failure) => Effect.sync(() => process.stderr.write(`${messageOf(failure)}\n`))),
    Effect.tapDefect((cause) => Effect.logFatal("the process ends by a defect of its own", cause)),
    Effect.provide(Logger.json),
    (effect) => NodeRuntime.runMain(effect, { disableErrorReporting: true, disablePrettyLogger: true })
  )
