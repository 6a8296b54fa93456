/** The whole service in one process: database, chains, actors, gate. Each part is a named layer, so that tests can take parts. */
import * as SingleRunner from "@effect/cluster/SingleRunner"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SqlClient from "@effect/sql/SqlClient"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkBook"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { migrate } from "@vault-trader/core/storage/Migrations"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as Server from "@vault-trader/server/Server"
import { bookOf, networks as realNetworks } from "@vault-trader/workers/chain/AddressBook"
import * as Workers from "@vault-trader/workers/Workers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import * as Http from "node:http"
import * as Https from "node:https"
import * as Path from "node:path"
import * as SecretFile from "./SecretFile.ts"
import type { Settings } from "./Settings.ts"
import { CannotStart } from "./Stop.ts"

/** The version callers see at `/version`. */
export const version = { version: "0.1.0", commit: process.env["COMMIT"] ?? "unknown" }

/** The networks with an RPC URL, or the devnet's. */
const books = (settings: Settings): ReadonlyArray<NetworkBook> =>
  realNetworks.flatMap((network) => {
    const [first, ...others] = settings.workers[network]
    return first === undefined ? [] : [bookOf(network, [first, ...others])]
  })

/** PostgreSQL: the given one, or the embedded one; migrated. */
export const Database = (settings: Settings) => {
  const client = settings.service.databaseUrl === undefined
    ? Layer.unwrapEffect(Effect.map(EmbeddedPostgres, (postgres) => PgClient.layer({ ...postgres.clientConfig(), maxConnections: 16 }))).pipe(
      Layer.provide(EmbeddedPostgres.layer({ dataDir: settings.service.dataDir }))
    )
    : PgClient.layer({ url: settings.service.databaseUrl, maxConnections: 16 })
  return Layer.effectDiscard(migrate).pipe(Layer.provideMerge(client))
}

/** Shards small in number and locks short in time, as measured; one runner. */
const Cluster = SingleRunner.layer({
  runnerStorage: "sql",
  shardingConfig: {
    shardsPerGroup: 32,
    shardLockExpiration: "6 seconds",
    shardLockRefreshInterval: "2 seconds",
    entityMessagePollInterval: "1 second",
    refreshAssignmentsInterval: "1 second",
    runnerHealthCheckInterval: "3 seconds",
    simulateRemoteSerialization: false
  }
})

const listener = (settings: Settings) =>
  Effect.gen(function*() {
    const { tlsCert, tlsKey, host, port } = settings.server
    if ((tlsCert === undefined) !== (tlsKey === undefined)) {
      return yield* new CannotStart({ message: "TLS_CERT and TLS_KEY are set together or not at all." })
    }
    const create = tlsCert === undefined || tlsKey === undefined
      ? () => Http.createServer()
      : () => Https.createServer({ cert: Fs.readFileSync(tlsCert), key: Fs.readFileSync(tlsKey) })
    return Layer.mapError(NodeHttpServer.layer(create, { host, port }), () =>
      new CannotStart({ message: `Nothing can listen on ${host}:${port}; is something running there already? PORT chooses another.` }))
  })

/** Secrets are made on a first start only: with wallets in the database a new key would open none of them. */
const secrets = (settings: Settings) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly some: boolean }>`select exists (select 1 from gas_wallets) as some`
    const mayCreate = row?.some !== true
    const { dataDir, pepperFile } = settings.service
    const kek = yield* SecretFile.read({ file: settings.workers.kekFile ?? Path.join(dataDir, "kek"), what: "key-encryption key", mayCreate })
    const pepper = yield* SecretFile.read({ file: pepperFile ?? Path.join(dataDir, "pepper"), what: "API key pepper", mayCreate })
    return { kek, pepper }
  })

/** Actors and gate on these networks, over the database that is given. */
export const Application = (settings: Settings, served: ReadonlyArray<NetworkBook>) =>
  Layer.unwrapEffect(Effect.map(secrets(settings), ({ kek, pepper }) => {
    const workers = Workers.layer({ books: served, kek: { version: 1, key: kek }, rpcTimeoutMillis: settings.workers.rpcTimeoutMillis })
    const { server } = settings
    const networks = served.map(({ network }) => network)
    const gate = Server.layer({
      directory: {
        networks,
        defaultNetwork: networks.includes(server.defaultNetwork) ? server.defaultNetwork : networks[0] ?? server.defaultNetwork,
        protocols: server.protocols
      },
      rateLimit: { enabled: server.rateLimit, burst: server.burst, perMinute: server.perMinute, trustedProxies: server.trustedProxies },
      version,
      waitSeconds: server.waitSeconds
    })
    return gate.pipe(
      Layer.provideMerge(Layer.unwrapEffect(listener(settings))),
      Layer.provide(workers),
      Layer.provide(Cluster),
      Layer.provide(ApiKeyDigest.layer(pepper)),
      Layer.provide(NodeHttpClient.layerUndici)
    )
  }))

/** One line that says what runs where. */
const announced = (settings: Settings, served: ReadonlyArray<NetworkBook>, origin: "configured" | "devnet") =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { host, port, tlsCert } = settings.server
    const database = settings.service.databaseUrl === undefined ? `PostgreSQL under ${settings.service.dataDir}` : "PostgreSQL at DATABASE_URL"
    const where = `${tlsCert === undefined ? "http" : "https"}://${host}:${port}`
    yield* Effect.sync(() => process.stdout.write(
      `Vault Trader ${version.version} ready in ${(performance.now() / 1000).toFixed(1)} s: ${where} (reference at ${where}/__docs__) · ` +
        `networks ${served.map(({ network }) => network).join(", ")} (${origin}) · ${database}\n`
    ))
  })).pipe(Layer.provide(Application(settings, served)))

/** Everything, ready when built: on the configured networks, or on the devnet when none is configured. */
export const OneProcess = (settings: Settings) => {
  const real = books(settings)
  const application = real.length > 0
    ? announced(settings, real, "configured")
    : Layer.unwrapEffect(Effect.map(Devnet, (devnet) => announced(settings, devnet.books, "devnet"))).pipe(
      Layer.provide(Devnet.layer({ dataDir: settings.service.dataDir }))
    )
  return application.pipe(Layer.provide(Database(settings)))
}
