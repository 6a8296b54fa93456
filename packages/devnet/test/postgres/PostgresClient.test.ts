import { assert, layer, vi } from "@effect/vitest"
import { Reads } from "@vault-trader/core/storage/Reads"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { mkdtemp, rm } from "node:fs/promises"
import * as Net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EmbeddedPostgres } from "../../src/postgres/EmbeddedPostgres.ts"
import * as PostgresClient from "../../src/postgres/PostgresClient.ts"

const Postgres = Layer.unwrap(Effect.gen(function*() {
  const dataDir = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "vault-trader-test-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true }))
  )
  return EmbeddedPostgres.layer({ dataDir: join(dataDir, "deeper") })
}))

const client = (options: { readonly maxConnections?: number; readonly connectTimeout?: "1 second" } = {}) =>
  Layer.unwrap(
    Effect.map(EmbeddedPostgres, (postgres) => PostgresClient.layer({ ...postgres.clientConfig(), ...options }))
  )

/** A client outside any transaction. */
const outside = Layer.fresh(client({ maxConnections: 1 }))

const Database = client({ maxConnections: 2 }).pipe(Layer.provideMerge(Postgres))

layer(Database, { excludeTestServices: true })("a client of PostgreSQL", (it) => {
  it.effect("reads eight-byte integers as decimal digits, and other types as before", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select (-9223372036854775808)::int8 as least, count(*) as many, sum(n) as total,
          array_agg(n) as each, max(n::int4) as small,
        3.5::float8 as real, 12.50::numeric as exact, array[1.5, 1e30]::numeric[] as exacts
        from unnest(array[1, 2]::int8[]) as n`
      assert.deepStrictEqual(rows, [{
        least: "-9223372036854775808",
        many: "2",
        total: "3",
        each: ["1", "2"],
        small: 2,
        real: 3.5,
        exact: "12.50",
        exacts: ["1.5", "1000000000000000000000000000000"]
      }])
      assert.deepStrictEqual(yield* sql`select 1::int8, count(*)`.values, [["1", "1"]])
    }))

  it.effect("treats a COMMIT without an answer as a defect, and a failure of a transaction that PostgreSQL rolled back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table commits (n int primary key)`
      const lost = yield* Effect.exit(sql.withTransaction(Effect.gen(function*() {
        yield* sql`insert into commits values (1)`
        const [own] = yield* sql<{ readonly pid: number }>`select pg_backend_pid() as pid`
        const kill = Effect.flatMap(
          SqlClient.SqlClient,
          (other) => other`select pg_terminate_backend(${own!.pid}::int)`
        )
        yield* Effect.provide(kill, outside)
      })))
      assert.isTrue(Exit.isFailure(lost) && Cause.hasDies(lost.cause) && !Cause.hasFails(lost.cause), String(lost))

      const failed = yield* Effect.exit(sql.withTransaction(Effect.gen(function*() {
        yield* sql`insert into commits values (2)`
        yield* Effect.ignore(sql`insert into commits values (2)`)
      })))
      assert.isTrue(Exit.isFailure(failed) && Cause.hasFails(failed.cause), String(failed))
      assert.deepStrictEqual(yield* sql`select n from commits`, [])
    }))

  it.effect("has a client for standalone reads, which share few connections and use prepared statements", () =>
    Effect.gen(function*() {
      const read = yield* Reads
      const asked = Array.from({ length: 40 }, (_, n) => n)
      const rows = yield* Effect.forEach(
        asked,
        (n) => read<{ readonly n: string; readonly pid: number }>`select ${n}::int8 as n, pg_backend_pid() as pid`,
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(rows.map(([row]) => Number(row?.n)), asked)
      assert.isAtMost(new Set(rows.map(([row]) => row?.pid)).size, 2)
      const [prepared] = yield* read<
        { readonly many: number }
      >`select count(*)::int as many from pg_prepared_statements where statement like '%pg_backend_pid%'`
      assert.isAbove(prepared?.many ?? 0, 0)
    }).pipe(
      Effect.provide(
        Layer.unwrap(
          Effect.map(
            EmbeddedPostgres,
            (postgres) =>
              PostgresClient.reads({ ...postgres.clientConfig(), maxConnections: 2, connectTimeout: "10 seconds" })
          )
        )
      )
    ))

  it.effect("leaves a shared connection that does not answer", () =>
    Effect.gen(function*() {
      const read = yield* Reads
      const now = performance.now.bind(performance)
      const clock = vi.spyOn(performance, "now").mockImplementation(now)
      yield* Effect.addFinalizer(() => Effect.sync(() => clock.mockRestore()))
      const pidOf = Effect.map(
        read<{ readonly pid: number }>`select pg_backend_pid() as pid`,
        ([row]) => row?.pid
      )
      const first = yield* pidOf
      const silent = yield* Effect.forkChild(read`select pg_sleep(600)`)
      yield* Effect.yieldNowWith(1)
      clock.mockImplementation(() => now() + 6000)
      yield* Fiber.interrupt(silent)
      assert.notStrictEqual(yield* pidOf, first)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Layer.unwrap(
          Effect.map(
            EmbeddedPostgres,
            (postgres) => PostgresClient.reads({ ...postgres.clientConfig(), maxConnections: 1 })
          )
        )
      )
    ))

  it.effect("parses a statement once for each connection, and plans it for its parameters", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql.withTransaction(Effect.gen(function*() {
        for (let n = 0; n < 7; n++) yield* sql`select ${n}::int8 as parsed_once`
        return yield* sql`select custom_plans, generic_plans, current_setting('plan_cache_mode') as mode
          from pg_prepared_statements where statement like '%parsed\_once'`
      }))
      assert.deepStrictEqual(rows, [{ custom_plans: "7", generic_plans: "0", mode: "force_custom_plan" }])
    }))

  it.effect("reads timestamps as dates, days as text, JSON as its value, and null", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select timestamptz '2026-01-02T03:04:05.678Z' as at, date '2026-01-02' as day,
          '{"a": [1, null]}'::jsonb as object,
        '"x"'::json as string, array['a', null]::text[] as texts, null::int8 as nothing, true as yes,
        pg_typeof(1)::text as type`
      assert.deepStrictEqual(rows, [{
        at: new Date("2026-01-02T03:04:05.678Z"),
        day: "2026-01-02",
        object: { a: [1, null] },
        string: "x",
        texts: ["a", null],
        nothing: null,
        yes: true,
        type: "integer"
      }])
    }))

  it.effect("reads and writes bytes, as a Buffer", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ readonly bytes: Buffer }>`select ${Uint8Array.of(0, 255, 16)}::bytea as bytes`
      assert.isTrue(Buffer.isBuffer(row?.bytes))
      assert.strictEqual(row?.bytes.toString("hex"), "00ff10")
    }))

  it.effect("writes a parameter as text whose type the statement determines", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select ${5}::text || ${6}::text as joined, ${
        2n ** 255n
      }::numeric as huge, ${5_000_000_000}::int8 as large,
        abs(-7 % ${4}) = ${3} as same, ${[1, 5_000_000_000]}::int8[] as numbers, ${[
        "a\"b\\",
        "{c,d}",
        null,
        ""
      ]}::text[] as texts,
        'b' = any(${["a", "b"]}) as among, ${[]}::text[] as none, ${[["a"], [
        "b"
      ]]}::text[] = '{{a},{b}}'::text[] as nested,
        ${null}::text as nothing, ${undefined}::text as missing, ${new Date(86_400_000)}::timestamptz as at,
        ${{ a: [1n.toString(), true] }}::jsonb as object, ${
        JSON.stringify({ b: 1 })
      }::jsonb as text, case when ${true} then 'yes' end as yes`
      assert.deepStrictEqual(rows, [{
        joined: "56",
        huge: String(2n ** 255n),
        large: "5000000000",
        same: true,
        numbers: ["1", "5000000000"],
        texts: ["a\"b\\", "{c,d}", null, ""],
        among: true,
        none: [],
        nested: true,
        nothing: null,
        missing: null,
        at: new Date(86_400_000),
        object: { a: ["1", true] },
        text: { b: 1 },
        yes: "yes"
      }])
    }))

  it.effect("inserts and updates records", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table things (id int8 primary key, name text, amount numeric, details jsonb)`
      const [first, second] = [{ id: 1n, name: 5, amount: 2n ** 100n, details: { a: 1 } }, {
        id: 2,
        name: "x",
        amount: 0.5,
        details: null
      }]
      yield* sql`insert into things ${sql.insert([first, second])}`
      yield* sql`update things set ${sql.update({ name: "y", details: { b: [] } })} where ${sql.in("id", [2, 3])}`
      assert.deepStrictEqual(yield* sql`select * from things order by id`, [
        { id: "1", name: "5", amount: String(2n ** 100n), details: { a: 1 } },
        { id: "2", name: "y", amount: "0.5", details: { b: [] } }
      ])
      const again = yield* Effect.flip(sql`insert into things ${sql.insert({ id: 1 })}`)
      assert.strictEqual(again.reason._tag, "UniqueViolation")
      assert.propertyVal(again.reason.cause, "code", "23505")
      assert.propertyVal(again.reason.cause, "constraint", "things_pkey")
    }))

  it.effect("keeps changes that a nested transaction rolled back out of the outer one", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table marks (mark int primary key)`
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`insert into marks values (1)`
        yield* Effect.flip(sql.withTransaction(sql`insert into marks values (2), (1)`))
        yield* sql.withTransaction(sql`insert into marks values (3)`)
      }))
      yield* Effect.flip(sql.withTransaction(Effect.andThen(sql`insert into marks values (4)`, Effect.fail("no"))))
      assert.deepStrictEqual(yield* sql`select mark from marks order by mark`, [{ mark: 1 }, { mark: 3 }])
    }))

  it.effect("waits for a free connection until its timeout, whatever a test's clock says", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const refused = yield* Effect.scoped(Effect.andThen(sql.reserve, Effect.flip(sql`select 1`)))
      assert.strictEqual(refused.reason._tag, "ConnectionError")
      assert.propertyVal(refused.reason.cause, "message", "timeout exceeded when trying to connect")
      const [rows] = yield* Effect.all([sql`select 1 as one from pg_sleep(0.1)`, TestClock.adjust("1 day")], {
        concurrency: 2
      })
      assert.deepStrictEqual(rows, [{ one: 1 }])
    }).pipe(
      Effect.provide(
        client({ maxConnections: 1, connectTimeout: "1 second" }).pipe(Layer.provideMerge(TestClock.layer()))
      )
    ))

  it.effect("is not built on a database that does not answer", () =>
    Effect.gen(function*() {
      const silent = yield* Effect.acquireRelease(
        Effect.callback<Net.Server>((resume) => {
          const server = Net.createServer().listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      const address = silent.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const built = (database: { readonly host: string; readonly port: number }) =>
        Effect.flip(
          Effect.scoped(
            Layer.build(PostgresClient.layer({ ...database, username: "postgres", connectTimeout: "200 millis" }))
          )
        )
      assert.strictEqual((yield* built({ host: "127.0.0.1", port })).reason._tag, "ConnectionError")
      assert.strictEqual((yield* built({ host: "/nowhere", port: 5432 })).reason._tag, "ConnectionError")
    }))

  it.effect("connects by a URL, with or without a host", () =>
    Effect.gen(function*() {
      const { database, socketDir, username } = yield* EmbeddedPostgres
      const where = `${database}?host=${encodeURIComponent(socketDir)}`
      for (
        const url of [`postgres://${username}@localhost/${where}`, `postgres://${username}@/${where}&sslmode=disable`]
      ) {
        const rows = Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql`select current_database() as name, current_setting('application_name') as application`)
        assert.deepStrictEqual(
          yield* Effect.provide(rows, PostgresClient.layer({ url: Redacted.make(url), applicationName: "test" })),
          [
            { name: database, application: "test" }
          ]
        )
      }
    }))
})
