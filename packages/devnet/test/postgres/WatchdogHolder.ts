/** A service reduced to its watchdog: `node WatchdogHolder.ts <folder>` reports once it runs and waits to be killed. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Watchdog from "../../src/postgres/Watchdog.ts"

const [folder = ""] = process.argv.slice(2)
const home = {
  account: undefined,
  binaries: { postgres: "", initdb: "" },
  data: join(folder, "data"),
  socketDir: join(folder, "socket"),
  log: join(folder, "postgres.log")
}

NodeRuntime.runMain(Effect.scoped(Effect.gen(function*() {
  yield* Watchdog.start(home)
  yield* Effect.sync(() => process.stdout.write("watching\n"))
  return yield* Effect.never
})))
