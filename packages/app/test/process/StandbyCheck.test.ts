/** The warning about standbys that commits do not wait for, on a real PostgreSQL. */
import { assert, layer } from "@effect/vitest"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as SqlClient from "effect/sql/SqlClient"
import * as StandbyCheck from "../../src/StandbyCheck.ts"

const Database = Layer.unwrap(
  Effect.map(
    temporaryFolder,
    (dataDir) =>
      Layer.unwrap(
        Effect.map(
          EmbeddedPostgres,
          (postgres) => PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 1 })
        )
      ).pipe(Layer.provide(EmbeddedPostgres.layer({ dataDir })))
  )
)

/** Returns the lines that a start logs. */
const logged = Effect.suspend(() => {
  const lines: Array<string> = []
  return StandbyCheck.warn.pipe(
    Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])),
    Effect.as(lines)
  )
})

layer(Database, { excludeTestServices: true, timeout: 120_000 })("a start on a PostgreSQL", (it) => {
  it.effect("warns of standbys by name while commits do not wait for them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* logged, [])

      // A view of the same name takes the place of the real one.
      yield* sql`create schema replicated`
      yield* sql`create view replicated.pg_stat_replication as select * from (values
        ('standby-2', 'streaming'), ('standby-1', 'streaming'), ('pg_basebackup', 'backup')) as t (application_name, state)`
      yield* sql`set search_path = replicated, pg_catalog`
      yield* sql`set synchronous_commit = on`
      const [unnamed] = yield* logged
      assert.match(unnamed ?? "", /replicates to standby-1, standby-2 and .*: synchronous_standby_names is empty\./)

      yield* sql`set synchronous_commit = local`
      const lines = yield* logged
      assert.lengthOf(lines, 1)
      assert.match(lines[0] ?? "", /synchronous_commit is local and synchronous_standby_names is empty\./)
    }))

  it.effect("does not warn when commits wait, and does not fail when the view cannot be read", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const waiting = { standbys: ["standby-1"], names: "ANY 1 (*)" }
      for (const commit of ["on", "remote_write", "remote_apply"]) {
        assert.isUndefined(StandbyCheck.warningOf({ ...waiting, commit }))
      }
      assert.match(StandbyCheck.warningOf({ ...waiting, commit: "off" }) ?? "", /: synchronous_commit is off\./)
      assert.match(
        StandbyCheck.warningOf({ standbys: [null], commit: "on", names: "" }) ?? "",
        /replicates to \(name not visible\)/
      )

      yield* sql`create schema if not exists broken`
      yield* sql`create view broken.pg_stat_replication as select 1 as nothing`
      yield* sql`set search_path = broken, pg_catalog`
      assert.deepStrictEqual(yield* logged, [])
    }))
})
