import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ShardLocks from "../../src/ShardLocks.ts"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"
import { until } from "@vault-trader/testing/harness/Until"

const Database = Layer.unwrap(
  Effect.map(
    temporaryFolder,
    (dataDir) =>
      Layer.unwrap(
        Effect.map(EmbeddedPostgres, (postgres) =>
          PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 4 }))
      ).pipe(
        Layer.provide(EmbeddedPostgres.layer({ dataDir }))
      )
  )
)

layer(Database, { excludeTestServices: true, timeout: 120_000 })(
  "a process that stopped in the middle of a transaction",
  (it) => {
    it.effect("loses the session that keeps others waiting, and no other session is ended", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table rows (id int primary key, n int not null)`
        yield* sql`insert into rows values (1, 0), (2, 0)`
        const [stopped, harmless] = [yield* sql.reserve, yield* sql.reserve]
        for (const [connection, id] of [[stopped, 1], [harmless, 2]] as const) {
          yield* connection.executeRaw("begin", [])
          yield* connection.executeRaw(`update rows set n = 1 where id = ${id}`, [])
        }
        const waiting = yield* Effect.forkChild(sql`update rows set n = 2 where id = 1`)
        yield* until(
          "a session to wait",
          Effect.map(
            sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'`,
            ({ length }) => length > 0 ? true : undefined
          )
        )
        assert.strictEqual(yield* ShardLocks.endAbandoned("1 hour"), 0)
        assert.strictEqual(yield* ShardLocks.endAbandoned(0), 1)
        yield* Fiber.join(waiting)
        yield* harmless.executeRaw("commit", [])
        assert.deepStrictEqual(yield* sql`select id, n from rows order by id`, [{ id: 1, n: 2 }, { id: 2, n: 1 }])
      }))
  }
)
