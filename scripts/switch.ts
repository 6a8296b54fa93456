/**
 * `npm run switch -- pause|resume|list [service|<wallet address>] [reason]`: the kill switch, on the service's database.
 * What is signed already goes on; nothing new is signed until the switch is off again.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { parse } from "@vault-trader/core/chain/Address"
import { KillSwitch, type Scope } from "@vault-trader/core/gas-wallet/KillSwitch"
import * as PgClient from "@effect/sql-pg/PgClient"
import { sentence } from "@vault-trader/core/configuration/Setting"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { Settings } from "./Settings.ts"
import { CannotStart } from "./Stop.ts"

const usage = "Usage: npm run switch -- pause|resume|list [service|<wallet address>] [reason]"

const scopeOf = (text: string | undefined): Effect.Effect<Scope, CannotStart> => {
  if (text === "service") return Effect.succeed("service")
  const wallet = parse(text ?? "")
  return wallet === undefined ? new CannotStart({ message: usage }) : Effect.succeed<Scope>(`wallet/${wallet}`)
}

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const command = Effect.gen(function*() {
  const switches = yield* KillSwitch
  const [what, scope, ...reason] = process.argv.slice(2)
  switch (what) {
    case "pause": {
      const paused = yield* scopeOf(scope)
      yield* switches.pause(paused, reason.join(" ") || "by the operator")
      return yield* say(`Signing is stopped for ${paused}.`)
    }
    case "resume": {
      const resumed = yield* scopeOf(scope)
      return yield* say((yield* switches.resume(resumed)) ? `Signing goes on for ${resumed}.` : `Signing was not stopped for ${resumed}.`)
    }
    case "list": {
      const all = yield* switches.list
      return yield* all.length === 0 ? say("Nothing is stopped.") : Effect.forEach(all, (each) => say(`${each.scope}: ${each.reason}`), { discard: true })
    }
    default:
      return yield* new CannotStart({ message: usage })
  }
})

/** The socket of the embedded database a running service has, as PostgreSQL itself notes it. */
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
    catch: () => new CannotStart({ message: `No service runs on ${dataDir}; DATA_DIR or DATABASE_URL says where it is.` })
  })

const database = Effect.gen(function*() {
  const settings = yield* Effect.mapError(Settings, (error) => new CannotStart({ message: sentence(error) }))
  const { databaseUrl, dataDir } = settings.service
  if (databaseUrl !== undefined) return PgClient.layer({ url: databaseUrl })
  return PgClient.layer({ host: yield* socketOf(dataDir), port: 5432, username: "postgres", database: "vault_trader", ssl: false })
})

const main = command.pipe(
  Effect.provide(KillSwitch.layer.pipe(Layer.provide(Layer.unwrapEffect(database)))),
  Effect.tapError((failure) => Effect.sync(() => process.stderr.write(`${"message" in failure ? failure.message : sentence(failure)}\n`)))
)

NodeRuntime.runMain(main, { disableErrorReporting: true })
