/** A real PostgreSQL 18 under the data directory, for services without a DATABASE_URL and for tests. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DataDirectoryBusy } from "./DataDirectoryLock.ts"
import type { BinariesMissing } from "./PostgresBinaries.ts"
import { PostgresFailed } from "./PostgresFailed.ts"
import * as PostgresHome from "./PostgresHome.ts"
import * as PostgresServer from "./PostgresServer.ts"

/** Every reason why the database cannot start. Each message is one sentence. */
type EmbeddedPostgresFailure = BinariesMissing | DataDirectoryBusy | PostgresFailed

/** The database that every service of the data directory uses. */
const database = "vault_trader"

/**
 * Runs for the layer's scope. When the service is killed, a watchdog stops the server. A server that outlived both is
 * adopted. Fails when another running service holds the data directory.
 *
 * @example
 * const Sql = Layer.unwrap(Effect.map(EmbeddedPostgres, (pg) => PostgresClient.layer(pg.clientConfig())))
 *   .pipe(Layer.provide(EmbeddedPostgres.layer({ dataDir: ".data" })))
 */
export class EmbeddedPostgres extends Context.Service<EmbeddedPostgres, {
  /** Folder of the unix socket, the `host` for `PostgresClient`. There is no TCP port. */
  readonly socketDir: string
  /** `vault_trader`, which exists. */
  readonly database: string
  readonly username: string
  /**
   * Returns options for `PostgresClient.layer`, to be spread with pool sizes. The database defaults to `vault_trader`.
   */
  readonly clientConfig: (database?: string) => PgClient.PgClientConfig
  /** Creates the database unless it exists. */
  readonly createDatabase: (name: string) => Effect.Effect<void, PostgresFailed>
  /** Drops the database, if it exists, and ends its sessions. */
  readonly dropDatabase: (name: string) => Effect.Effect<void, PostgresFailed>
}>()("vault-trader/devnet/postgres/EmbeddedPostgres") {
  static readonly layer = (
    options: { readonly dataDir: string }
  ): Layer.Layer<EmbeddedPostgres, EmbeddedPostgresFailure> => Layer.effect(EmbeddedPostgres, make(options.dataDir))
}

const make = Effect.fn("EmbeddedPostgres.make")(function*(dataDir: string) {
  const home = yield* PostgresHome.open(dataDir)
  yield* PostgresServer.run(home)

  const createDatabase = Effect.fn("EmbeddedPostgres.createDatabase")(
    function*(name: string) {
      yield* PostgresServer.asAdministrator(home, (sql) =>
        Effect.gen(function*() {
          const existing = yield* sql`SELECT 1 FROM pg_database WHERE datname = ${name}`
          if (existing.length === 0) yield* sql`CREATE DATABASE ${sql(name)}`
        }))
    },
    (effect, name) => Effect.mapError(effect, PostgresFailed.because(`create the database ${name}`))
  )

  const dropDatabase = Effect.fn("EmbeddedPostgres.dropDatabase")(
    function*(name: string) {
      yield* PostgresServer.asAdministrator(home, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`)
    },
    (effect, name) => Effect.mapError(effect, PostgresFailed.because(`drop the database ${name}`))
  )

  yield* createDatabase(database)
  return EmbeddedPostgres.of({
    socketDir: home.socketDir,
    database,
    username: "postgres",
    clientConfig: (name = database) => PostgresServer.clientConfig(home, name),
    createDatabase,
    dropDatabase
  })
})
