/** `npm start`: the whole service in one process. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { sentence } from "@vault-trader/core/configuration/Setting"
import type * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { OneProcess } from "./OneProcess.ts"
import { Settings } from "./Settings.ts"
import { CannotStart } from "./Stop.ts"

const start = Effect.gen(function*() {
  const settings = yield* Effect.mapError(Settings, (error) => new CannotStart({ message: sentence(error) }))
  return yield* Layer.launch(OneProcess(settings)).pipe(Logger.withMinimumLogLevel(settings.service.logLevel))
}).pipe(
  Effect.tapError((failure) => Effect.sync(() => process.stderr.write(`${messageOf(failure)}\n`))),
  Effect.provide(Logger.json)
)

/** One sentence; a database's own reason is inside its error. */
const messageOf = (failure: Error | ConfigError.ConfigError): string =>
  "_op" in failure
    ? sentence(failure)
    : failure.cause instanceof Error ? `${failure.message}: ${failure.cause.message}` : failure.message

NodeRuntime.runMain(start, { disableErrorReporting: true, disablePrettyLogger: true })
