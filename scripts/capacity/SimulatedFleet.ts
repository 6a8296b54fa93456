/** A simulated fleet: PostgreSQL, nodes, and the runners and servers of the service as separate processes. */
import { NetworksFile } from "@vault-trader/app/Networks"
import { migrate } from "@vault-trader/core/storage/Migrations"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { freePort, type Process, started } from "../bench/engine/ServiceUnderTest.ts"
import { temporaryFolder } from "../bench/TemporaryFolder.ts"
import * as FleetChain from "./FleetChain.ts"
import * as FleetRows from "./FleetRows.ts"

/** A fleet, and the processes that serve it. */
export interface FleetPlan extends FleetRows.FleetRows {
  readonly runners: number
  readonly servers: number
  /** Seconds between two checks of a bot. */
  readonly checkSeconds: number
}

export interface Fleet {
  readonly sql: SqlClient.SqlClient
  readonly nodes: FleetChain.Nodes
  readonly runners: ReadonlyArray<Process>
  readonly servers: ReadonlyArray<Process>
  readonly apiKeys: ReadonlyArray<string>
  /** Process id of PostgreSQL's first process. */
  readonly postgresPid: number
}

const database = "fleet"
/** Seconds between two samples of a vault: the least with which vaults are listed as seldom as with the default. */
const sampleSeconds = 240

/** A PostgreSQL of its own, with all migrations applied and few connections of ours. */
const Database = Layer.effectDiscard(migrate).pipe(
  Layer.provideMerge(Layer.unwrap(Effect.gen(function*() {
    const postgres = yield* EmbeddedPostgres
    yield* postgres.createDatabase(database)
    return PostgresClient.layer({ ...postgres.clientConfig(database), maxConnections: 3 })
  }))),
  Layer.provideMerge(Layer.unwrap(Effect.map(temporaryFolder, (dataDir) => EmbeddedPostgres.layer({ dataDir })))),
  Layer.orDie
)

/** Returns the parent of a process, from its /proc/PID/stat. */
const parentOf = (pid: number): number => {
  const stat = Fs.readFileSync(`/proc/${pid}/stat`, "utf8")
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
}

/** Starts the processes, which end with the scope, and then inserts the fleet: no process reads its keys at its start. */
export const start = (plan: FleetPlan): Effect.Effect<Fleet, never, Scope> =>
  Effect.gen(function*() {
    const services = yield* Layer.build(Database)
    const sql = Context.get(services, SqlClient.SqlClient)
    const { socketDir, username } = Context.get(services, EmbeddedPostgres)
    const dataDir = yield* temporaryFolder
    const nodes = yield* FleetChain.start(plan.networks)
    const networksFile = Path.join(dataDir, "networks.json")
    Fs.writeFileSync(networksFile, yield* Effect.orDie(Schema.encodeUnknownEffect(NetworksFile)(nodes.books)))
    const process = (command: "workers" | "server", index: number) =>
      Effect.flatMap(freePort, (port) =>
        started(command, {
          DATA_DIR: dataDir,
          SIGNING_RECORD_DIR: Path.join(dataDir, `record-${index}`),
          DATABASE_URL: `postgres://${username}@localhost/${database}?${
            new URLSearchParams({ host: socketDir }).toString()
          }`,
          NETWORKS_FILE: networksFile,
          ...{ PORT: port, RUNNER_PORT: port, RATE_LIMIT: "off", LOG_LEVEL: "warning" },
          ...{ BOT_CHECK_SECONDS: String(plan.checkSeconds), PERFORMANCE_BACKFILL_DAYS: "0" },
          PERFORMANCE_SAMPLE_SECONDS: String(sampleSeconds)
        }))
    const several = (command: "workers" | "server", count: number) =>
      Effect.forEach(Array.from({ length: count }), (_, index) => process(command, index))
    const runners = yield* several("workers", plan.runners)
    const servers = yield* several("server", plan.servers)
    const pepper = Fs.readFileSync(Path.join(dataDir, "pepper"), "utf8").trim()
    const [backend] = yield* sql<{ readonly pid: number }>`select pg_backend_pid() as pid`
    const apiKeys = yield* Effect.provide(FleetRows.insert(plan, pepper), services)
    return { sql, nodes, runners, servers, apiKeys, postgresPid: parentOf(backend?.pid ?? 0) }
  }).pipe(Effect.orDie)
