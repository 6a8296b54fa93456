/** Which tables PostgreSQL read from end to end, for tests of queries that must use indexes. */
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { migrate } from "../../src/storage/Migrations.ts"
import { Server } from "./Database.ts"

/** A database with a single connection, so that its scan statistics are complete once it reports them. */
export const SingleConnection = Layer.effectDiscard(migrate).pipe(
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(
        EmbeddedPostgres,
        (postgres) => PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 1 })
      )
    )
  ),
  Layer.provide(Server)
)

/** Returns the statistics of these tables: those with sequential scans since they were forgotten, and how many. */
export const of = (tables: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`select pg_stat_force_next_flush()`
    return yield* sql<{ readonly table: string; readonly scans: number }>`
      select relname as "table", seq_scan::int as scans from pg_stat_user_tables
      where relname in ${sql.in(tables)} and seq_scan > 0 order by relname`
  })

/** Resets the statistics. */
export const forget = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select pg_stat_force_next_flush()`
  yield* sql`select count(*) from pg_stat_user_tables`
  yield* sql`select pg_stat_reset()`
})
