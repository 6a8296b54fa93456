/**
 * Databases for tests: one PostgreSQL for all files of a run, and a migrated database for each of them. A package whose
 * tests use it names this module as the `globalSetup` of its vitest.config.ts.
 */
import type { Config } from "@effect/sql-pg/PgPool"
import { migrate } from "@vault-trader/core/storage/Migrations"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"

/** The variable with the address of the server, for the processes that run the files. */
const variable = "VAULT_TRADER_TEST_POSTGRES"

/** The database that the others are copies of. */
const template = "migrated"

const Place = Schema.fromJsonString(Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  username: Schema.String,
  ssl: Schema.Literal(false)
}))

const dataDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "vault-trader-test-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const start = Effect.gen(function*() {
  const postgres = Context.get(
    yield* Layer.build(EmbeddedPostgres.layer({ dataDir: yield* dataDirectory })),
    EmbeddedPostgres
  )
  yield* postgres.createDatabase(template)
  // A database with a session cannot be copied: this one ends with the migration.
  yield* Effect.provide(migrate, PostgresClient.layer({ ...postgres.clientConfig(template), maxConnections: 2 }))
  // No test of a file in these databases ends the server: nothing has to reach the disk.
  yield* Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(
        ["alter system set fsync = off", "alter system set full_page_writes = off", "select pg_reload_conf()"],
        (text) => sql.unsafe(text)
      )),
    PostgresClient.layer({ ...postgres.clientConfig("postgres"), maxConnections: 1 })
  )
  const { host = "", port = 0, username = "" } = postgres.clientConfig()
  return yield* Schema.encodeEffect(Place)({ host, port, username, ssl: false })
})

/** Starts the server for a run of vitest, and returns the function that stops it. */
export const setup = async (): Promise<() => Promise<void>> => {
  const scope = Scope.makeUnsafe()
  process.env[variable] = await Effect.runPromise(Effect.provideService(start, Scope.Scope, scope))
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}

/** A client of a new migrated database, which is dropped with it. Tests that use it wait in real time. */
export const layer = (options: Pick<Config, "maxConnections">): Layer.Layer<SqlClient.SqlClient> =>
  Layer.unwrap(Effect.gen(function*() {
    const place = yield* Schema.decodeUnknownEffect(Place)(process.env[variable])
    const name = `test_${randomUUID().replaceAll("-", "")}`
    const administer = (text: string) =>
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text)).pipe(
        Effect.provide(PostgresClient.layer({ ...place, database: "postgres", maxConnections: 1 })),
        Effect.orDie
      )
    yield* Effect.acquireRelease(
      administer(`create database ${name} template ${template}`),
      () => administer(`drop database if exists ${name} with (force)`)
    )
    return PostgresClient.layer({ ...place, ...options, database: name })
  })).pipe(Layer.orDie)
