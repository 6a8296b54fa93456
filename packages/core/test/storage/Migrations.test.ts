import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { migrate, migrations as all } from "../../src/storage/Migrations.ts"
import { Server } from "./Database.ts"

const client = (database: string) =>
  Effect.map(
    EmbeddedPostgres,
    (postgres) => PostgresClient.layer({ ...postgres.clientConfig(database), maxConnections: 2 })
  )

const migrations = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly name: string }>`select name from vault_trader_migrations order by migration_id`
)

layer(Server, { timeout: "4 minutes", excludeTestServices: true })("migrate", (it) => {
  it.effect("runs once although five processes start at the same moment", () =>
    Effect.gen(function*() {
      const postgres = yield* EmbeddedPostgres
      yield* postgres.createDatabase("together")
      const sql = yield* client("together")
      yield* Effect.all(Array.from({ length: 5 }, () => Effect.provide(migrate, Layer.fresh(sql))), {
        concurrency: "unbounded"
      })
      const ran = yield* Effect.provide(migrations, yield* client("together"))
      assert.deepStrictEqual(ran.map(({ name }) => name), Object.keys(all).map((name) => name.slice("0000_".length)))
    }))

  it.effect("changes nothing when all migrations are done", () =>
    Effect.gen(function*() {
      const postgres = yield* EmbeddedPostgres
      yield* postgres.createDatabase("again")
      const ran = yield* migrate.pipe(
        Effect.andThen(Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql`insert into gas_wallets ${sql.insert({ address: `0x${"a".repeat(40)}`, ciphertext: "c" })}`)),
        Effect.andThen(migrate),
        Effect.andThen(Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql`select address from gas_wallets`)),
        Effect.provide(yield* client("again"))
      )
      assert.strictEqual(ran.length, 1)
    }))
})
