/** The database of a running service, for an operator's commands: at DATABASE_URL, or embedded under DATA_DIR. */
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { configuration } from "./Configuration.ts"
import { CannotStart } from "./StartupFailure.ts"

/** Returns the socket of the embedded database, from PostgreSQL's own pid file. */
const socketOf = (dataDir: string) =>
  Effect.try({
    try: () => {
      const base = Path.join(dataDir, "postgres")
      const note = Path.join(base, "location")
      const home = Fs.existsSync(note) ? Fs.readFileSync(note, "utf8").trim() : base
      const socket = Fs.readFileSync(Path.join(home, "data", "postmaster.pid"), "utf8").split("\n")[4]
      if (socket === undefined || socket === "") throw new Error("no socket")
      return socket
    },
    catch: () =>
      new CannotStart({ message: `No service runs on ${dataDir}; DATA_DIR or DATABASE_URL says where it is.` })
  })

export const RunningDatabase = Layer.unwrap(Effect.gen(function*() {
  const { service: { databaseUrl, dataDir } } = yield* configuration
  if (databaseUrl !== undefined) return PostgresClient.layer({ url: databaseUrl })
  return PostgresClient.layer({
    host: yield* socketOf(dataDir),
    port: 5432,
    username: "postgres",
    database: "vault_trader",
    ssl: false
  })
}))
