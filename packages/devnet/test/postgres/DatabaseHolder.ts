/**
 * A service reduced to its database: `node DatabaseHolder.ts <dataDir>` reports once it is up and waits for a signal.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { EmbeddedPostgres } from "../../src/postgres/EmbeddedPostgres.ts"

NodeRuntime.runMain(
  Effect.gen(function*() {
    const { socketDir } = yield* EmbeddedPostgres
    yield* Effect.sync(() => process.stdout.write(`${JSON.stringify({ socketDir, uid: process.getuid?.() })}\n`))
    return yield* Effect.never
  }).pipe(Effect.provide(EmbeddedPostgres.layer({ dataDir: process.argv[2] ?? "" })))
)
