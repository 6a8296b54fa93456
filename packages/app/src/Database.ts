/** PostgreSQL, external or embedded, with all migrations applied. */
import { migrate } from "@vault-trader/core/storage/Migrations"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import type * as PgPool from "@effect/sql-pg/PgPool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LocalServices from "./LocalServices.ts"
import type { Settings } from "./Settings.ts"
import * as StandbyCheck from "./StandbyCheck.ts"
import { CannotStart } from "./StartupFailure.ts"

/**
 * Maximum connections of one process to the ledger. The cluster holds one more for its shard locks, and a server one
 * for notifications.
 */
const connections = 16
/** Maximum connections of one process for reads outside of transactions; many reads share one. */
const readConnections = 2
/** Timeout of acquiring a connection, new or pooled; after it the database counts as unavailable. */
const connectTimeout = "10 seconds"

const clients = (config: PgPool.Config) =>
  Layer.mergeAll(
    PostgresClient.layer({ ...config, maxConnections: connections, connectTimeout }),
    PostgresClient.notifications(config),
    PostgresClient.reads({ ...config, maxConnections: readConnections, connectTimeout })
  )

const migrated = <A, E, R>(client: Layer.Layer<A, E, R>) =>
  Layer.effectDiscard(Effect.andThen(migrate, StandbyCheck.warn)).pipe(Layer.provideMerge(client))

/** The database at DATABASE_URL, or the embedded one. */
export const Database = (settings: Settings) =>
  settings.service.databaseUrl === undefined
    ? migrated(LocalServices.onEmbeddedDatabase(settings, clients))
    : migrated(clients({ url: settings.service.databaseUrl }))

/** The database at DATABASE_URL: several processes cannot share an embedded one. */
export const SharedDatabase = (settings: Settings) =>
  Layer.unwrap(
    settings.service.databaseUrl === undefined
      ? new CannotStart({
        message: "DATABASE_URL is not set; a server and a runner of their own share one PostgreSQL."
      })
      : Effect.succeed(migrated(clients({ url: settings.service.databaseUrl })))
  )
