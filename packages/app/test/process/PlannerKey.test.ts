/** The planner key's file: created once for a database, with the MACs of what was queued, and never replaced. */
import { assert, layer } from "@effect/vitest"
import { SubmissionMac } from "@vault-trader/core/gas-wallet/SubmissionMac"
import { migrate } from "@vault-trader/core/storage/Migrations"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { PlannerKey } from "../../src/PlannerKey.ts"
import { Settings } from "../../src/Settings.ts"

const Database = Layer.unwrap(
  Effect.map(temporaryFolder, (dataDir) => {
    const client = Layer.unwrap(
      Effect.map(
        EmbeddedPostgres,
        (postgres) => PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 8 })
      )
    )
    return Layer.effectDiscard(migrate).pipe(
      Layer.provideMerge(client),
      Layer.provide(EmbeddedPostgres.layer({ dataDir }))
    )
  })
)

/** Starts a process on this file, and returns the MAC that it gives a row of the key `one/0`. */
const start = (file: string) =>
  Effect.gen(function*() {
    const settings = yield* Effect.provideService(
      Settings,
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: { PLANNER_KEY_FILE: file } })
    )
    return yield* Effect.provide(
      Effect.map(SubmissionMac, (macs) => macs.of(row("one/0"))),
      Layer.fresh(PlannerKey(settings))
    )
  })

const wallet = `0x${"a".repeat(40)}` as const
const to = `0x${"b".repeat(40)}` as const
const row = (key: string) => ({
  ...{ key, intentId: null, network: "base" as const, wallet, to, data: "0x" as const, value: 1n, reserve: 0n }
})

/** A database as of an earlier release, with a queued row; returns a folder for files. */
const upgraded = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from secret_checks`
  yield* sql`delete from submissions`
  yield* sql`insert into gas_wallets ${sql.insert({ address: wallet, ciphertext: "c" })} on conflict do nothing`
  yield* sql`insert into submissions ${
    sql.insert({ key: "one/0", network: "base", wallet, to_address: to, data: "0x", value: "1", reserve: "0" })
  }`
  return { sql, folder: yield* temporaryFolder }
})

const macs = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly mac: string | null }>`select mac from submissions order by key`,
    (rows) => rows.map(({ mac }) => mac)
  ))

layer(Database, { excludeTestServices: true, timeout: 120_000 })("a process without a planner key", (it) => {
  it.effect("creates one for its owner only, and marks the queued rows of the earlier release with it, once", () =>
    Effect.gen(function*() {
      const { folder, sql } = yield* upgraded
      const file = Path.join(folder, "planner-key")
      const mac = yield* start(file)
      assert.strictEqual(Fs.statSync(file).mode & 0o777, 0o600)
      assert.deepStrictEqual(Fs.readdirSync(folder), ["planner-key"])
      assert.deepStrictEqual(yield* macs, [mac])
      const text = Fs.readFileSync(file, "utf8").trim()
      const [stored] = yield* sql<
        { readonly value: string }
      >`select value from secret_checks where name = 'planner_key'`
      assert.notInclude(stored?.value ?? text, text)

      // A row that is inserted later stays without one, whatever happens to the check value.
      yield* sql`update submissions set mac = null`
      assert.strictEqual(yield* start(file), mac)
      yield* sql`delete from secret_checks`
      assert.strictEqual(yield* start(file), mac)
      assert.deepStrictEqual(yield* macs, [null])
    }))

  it.effect("creates one key, when several start at once", () =>
    Effect.gen(function*() {
      const { folder } = yield* upgraded
      const file = Path.join(folder, "planner-key")
      const all = yield* Effect.all([1, 2, 3, 4].map(() => start(file)), { concurrency: "unbounded" })
      assert.deepStrictEqual([new Set(all).size, yield* macs], [1, [all[0]!]])
    }))

  it.effect("takes the draft of a start that was killed after its commit, and replaces that of one before it", () =>
    Effect.gen(function*() {
      const { folder, sql } = yield* upgraded
      const file = Path.join(folder, "planner-key")
      Fs.writeFileSync(`${file}.draft`, "1".repeat(10), { mode: 0o600 })
      const mac = yield* start(file)
      Fs.renameSync(file, `${file}.draft`)
      assert.strictEqual(yield* start(file), mac)
      assert.isTrue(Fs.existsSync(file))
      yield* sql`delete from secret_checks`
      Fs.renameSync(file, `${file}.draft`)
      yield* sql`update submissions set mac = null`
      assert.notStrictEqual(yield* start(file), mac)
    }))

  for (
    const [what, change, message] of [
      ["the file is missing", (file: string) => Fs.rmSync(file), /is missing, but the database is used with one/],
      [
        "the file is another one's",
        (file: string) => Fs.writeFileSync(file, "d".repeat(64)),
        /does not hold the planner key of this database/
      ],
      [
        "others can read the file",
        (file: string) => Fs.chmodSync(file, 0o640),
        /is open to other accounts of this machine \(mode 640\)/
      ],
      ["the file is no key", (file: string) => Fs.writeFileSync(file, "short"), /does not hold a planner key/]
    ] as const
  ) {
    it.effect(`does not start where the database has one and ${what}`, () =>
      Effect.gen(function*() {
        const { folder } = yield* upgraded
        const file = Path.join(folder, "planner-key")
        yield* start(file)
        const before = yield* macs
        change(file)
        const failure = yield* Effect.flip(start(file))
        assert.match(String(failure.message), message)
        assert.deepStrictEqual(yield* macs, before)
      }))
  }
})
