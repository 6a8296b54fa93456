import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import { assert, layer } from "@effect/vitest"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import * as OldRunners from "../../src/OldRunners.ts"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"

const Database = Layer.unwrap(
  Effect.map(
    temporaryFolder,
    (dataDir) =>
      Layer.unwrap(
        Effect.map(EmbeddedPostgres, (postgres) =>
          PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 2 }))
      ).pipe(
        Layer.provide(EmbeddedPostgres.layer({ dataDir }))
      )
  )
)

/** The table as Effect 3's cluster creates and writes it. */
const register = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.andThen(
    sql`create table if not exists cluster_runners (machine_id serial primary key,
      address varchar(255) not null unique, runner text not null,
      healthy boolean not null default true, last_heartbeat timestamp not null default now())`,
    sql`insert into cluster_runners (address, runner) values ('10.0.0.7:34431', '{}') on conflict (address) do update
      set last_heartbeat = now()`
  ))

layer(Database, { excludeTestServices: true, timeout: 120_000 })("beside runners of the version before", (it) => {
  it.effect("a start is refused, and says which they are; one that was killed delays it, and one that is gone does not matter", () =>
    Effect.gen(function*() {
      yield* OldRunners.check
      yield* register
      const refusal = yield* Effect.flip(OldRunners.check).pipe(
        Effect.raceFirst(Effect.repeat(register, Schedule.spaced("1 second")))
      )
      assert.instanceOf(refusal, OldRunners.OldRunnersAlive)
      assert.include(refusal.message, "10.0.0.7:34431")
      yield* OldRunners.check
    }))
})
