/** PostgreSQL, given or embedded, migrated. */
import { migrate } from "@vault-trader/core/storage/Migrations"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import type * as PgPool from "@effect/sql-pg/PgPool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Settings } from "./Settings.ts"
import { CannotStart } from "./StartupFailure.ts"

/** Of one process, for the ledger. The cluster holds one for its shard locks. */
const connections = 16
/** Of one process, for reads that stand alone: many share one. */
const readConnections = 2
/** How long to wait for a connection, made or free, before the database counts as away. */
const connectTimeout = "10 seconds"

const clients = (config: PgPool.Config) =>
  Layer.merge(
    PostgresClient.layer({ ...config, maxConnections: connections, connectTimeout }),
    PostgresClient.reads({ ...config, maxConnections: readConnections, connectTimeout })
  )

const migrated = <A, E, R>(client: Layer.Layer<A, E, R>) => Layer.effectDiscard(migrate).pipe(Layer.provideMerge(client))

/** The database at DATABASE_URL, or the embedded one. */
export const Database = (settings: Settings) =>
  settings.service.databaseUrl === undefined
    ? migrated(
      Layer.unwrap(Effect.map(EmbeddedPostgres, (postgres) => clients(postgres.clientConfig()))).pipe(
        Layer.provide(EmbeddedPostgres.layer({ dataDir: settings.service.dataDir }))
      )
    )
    : migrated(clients({ url: settings.service.databaseUrl }))

/** The database at DATABASE_URL: processes that share one cannot each embed their own. */
export const SharedDatabase = (settings: Settings) =>
  Layer.unwrap(
    settings.service.databaseUrl === undefined
      ? new CannotStart({ message: "DATABASE_URL is not set; a server and a runner of their own share one PostgreSQL." })
      : Effect.succeed(migrated(clients({ url: settings.service.databaseUrl })))
  )
