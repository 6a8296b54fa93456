/**
 * The service as several processes on one PostgreSQL, each of which can be killed, frozen and disconnected; its chains
 * outlive them.
 */
import type { Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { NetworksFile } from "@vault-trader/app/Networks"
import { ask, onChainOnly, Running, temporaryFolder } from "./Harness.ts"
import { RpcHold } from "./RpcHold.ts"
import * as ServiceProcess from "./ServiceProcess.ts"

/** The name of a process in the database and at the nodes. */
export type Name = "server" | `server-${number}` | `runner-${number}` | "signer"

export class ProcessGroup extends Context.Service<ProcessGroup, {
  /** Starts a process and waits until it is ready. It reuses its previous port and ends with the group. */
  readonly start: (name: Name) => Effect.Effect<void>
  /** Returns the running process of this name. */
  readonly the: (name: Name) => ServiceProcess.ServiceProcess
  /** Returns the database's URL for a process of this name. */
  readonly database: (name: Name) => string
  /** Returns the URL of the runner's metrics and health. */
  readonly metricsOf: (name: Name) => Effect.Effect<string>
  /** Terminates the database sessions of these processes, as a broken network does. */
  readonly cutOff: (names: ReadonlyArray<Name>) => Effect.Effect<void>
}>()("vault-trader/testing/harness/ProcessGroup") {}

/** The data folder, and how a process of this name connects to the database. */
class Home extends Context.Service<Home, {
  readonly dataDir: string
  readonly database: (name: Name) => string
}>()("vault-trader/testing/harness/ProcessGroup/Home") {
  static readonly layer = Layer.unwrap(Effect.gen(function*() {
    const dataDir = yield* temporaryFolder
    const connected = Layer.unwrap(Effect.map(EmbeddedPostgres, (postgres) => {
      const home = Layer.succeed(Home, {
        dataDir,
        database: (name) => {
          const how = new URLSearchParams({ host: postgres.socketDir, application_name: name })
          return `postgres://${postgres.username}@localhost/${postgres.database}?${how.toString()}`
        }
      })
      return Layer.merge(
        home,
        PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 4, applicationName: "test" })
      )
    }))
    return Layer.provide(connected, EmbeddedPostgres.layer({ dataDir }))
  }))
}

/** Saves each process's output in the folder FLEET_LOGS, if it is set. */
const keepLog = (name: Name) => (text: string) => {
  const folder = process.env["FLEET_LOGS"]
  if (folder !== undefined) Fs.appendFileSync(Path.join(folder, `${name}.log`), text)
}

/** Returns the settings of who signs: each runner, or the signer where the group has one. */
const signing = (dataDir: string, name: Name, hasSigner: boolean): Readonly<Record<string, string>> => {
  const socket = { SIGNER_SOCKET: Path.join(dataDir, "signer-home", "socket") }
  if (!hasSigner) return { SIGNING_RECORD_DIR: Path.join(dataDir, `signing-record-of-${name}`) }
  return name === "signer"
    ? { ...socket, DATA_DIR: Path.dirname(socket.SIGNER_SOCKET), PLANNER_KEY_FILE: Path.join(dataDir, "planner-key") }
    : name.startsWith("runner")
    ? socket
    : {}
}

const make = (env: Readonly<Record<string, string>>, hasSigner: boolean) =>
  Effect.gen(function*() {
    const { books } = yield* Devnet
    const { inFront } = yield* RpcHold
    const { dataDir, database } = yield* Home
    const sql = yield* SqlClient.SqlClient
    const scope = yield* Effect.scope
    const ports = new Map<string, string>()
    const portOf = (name: string) =>
      Effect.gen(function*() {
        const port = ports.get(name) ?? String(yield* ServiceProcess.freePort)
        ports.set(name, port)
        return port
      })
    const processes = new Map<Name, ServiceProcess.ServiceProcess>()

    const environmentOf = (name: Name) =>
      Effect.gen(function*() {
        const port = yield* portOf(name)
        const file = Path.join(dataDir, `networks-of-${name}.json`)
        const seen = inFront(name, onChainOnly(books)) as Arr.NonEmptyReadonlyArray<NetworkBook>
        Fs.writeFileSync(file, yield* Effect.orDie(Schema.encodeEffect(NetworksFile)(seen)))
        return {
          DATA_DIR: dataDir,
          DATABASE_URL: database(name),
          NETWORKS_FILE: file,
          PORT: port,
          RUNNER_PORT: port,
          ...(hasSigner && name.startsWith("runner") ? { METRICS_PORT: yield* portOf(`metrics of ${name}`) } : {}),
          ...signing(dataDir, name, hasSigner),
          ...env
        }
      })

    return ProcessGroup.of({
      database,
      start: (name) =>
        Effect.gen(function*() {
          const command = name === "signer" ? "signer" : name.startsWith("server") ? "server" : "workers"
          const started = ServiceProcess.start(yield* environmentOf(name), keepLog(name), command)
          processes.set(name, yield* Scope.provide(started, scope))
        }),
      metricsOf: (name) => Effect.map(portOf(`metrics of ${name}`), (port) => `http://127.0.0.1:${port}`),
      the: (name) => {
        const found = processes.get(name)
        if (found === undefined) throw new Error(`${name} was never started`)
        return found
      },
      cutOff: (names) =>
        Effect.orDie(
          sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name in ${sql.in(names)}`
        )
    })
  })

/**
 * Starts a group of these processes and waits until all are ready. Nodes mine only on request or when a transaction
 * arrives.
 */
export const layer = ({ env = {}, names, networks }: {
  readonly names: ReadonlyArray<Name>
  readonly networks: ReadonlyArray<Network>
  readonly env?: Readonly<Record<string, string>>
}) =>
  Layer.effectContext(Effect.gen(function*() {
    const made = yield* make(env, names.includes("signer"))
    const { dataDir } = yield* Home
    // Without its signer a runner creates no wallet.
    if (names.includes("signer")) yield* made.start("signer")
    const others = names.filter((name) => name !== "signer")
    yield* Effect.forEach(others, made.start, { concurrency: "unbounded", discard: true })
    const { baseUrl } = made.the("server")
    return Context.make(ProcessGroup, made).pipe(Context.add(Running, { baseUrl, dataDir, ask: ask(baseUrl) }))
  })).pipe(
    Layer.provideMerge(RpcHold.layer),
    Layer.provideMerge(Devnet.layer({ networks, heartbeat: false })),
    Layer.provideMerge(Home.layer),
    Layer.orDie
  )
