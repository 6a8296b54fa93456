/** Rows of submissions that this service has not written as they are: their MAC is not their planner's. */
import { assert, layer } from "@effect/vitest"
import { adoptQueued } from "@vault-trader/core/gas-wallet/SubmissionMac"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { SigningPolicy } from "../../src/gas-wallet/SigningPolicy.ts"
import * as SubmissionMac from "../../src/gas-wallet/SubmissionMac.ts"
import { actions } from "../../src/ActionTable.ts"
import * as LimitedLane from "./LimitedLane.ts"
import * as TestLane from "./TestLane.ts"

const concurrent = { concurrent: true }
const Stores = TestLane.storesUnder(SigningPolicy.layer(actions))

/** A wallet that trades a vault, and what an attacker with write access to the database can do to its rows. */
const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const bench = yield* LimitedLane.make
  yield* bench.hearAlerts
  const trade = bench.queued(null, { calls: bench.selling(1) })
  const change = (key: string, columns: string) => sql.unsafe(`update submissions set ${columns} where key = '${key}'`)
  const macOf = (key: string) => Effect.map(bench.row(key), ({ mac }) => mac)
  /** Copies a row of a trade with its MAC, with these columns changed. */
  const copy = (key: string, changed: Readonly<Record<string, string>>) => {
    const columns = ["key", "intent_id", "network", "wallet", "to_address", "data", "value", "reserve", "mac"]
    const values = columns.map((column) => changed[column] ?? column)
    return sql.unsafe(
      `insert into submissions (${columns.join(", ")}) select ${
        values.join(", ")
      } from submissions where key = '${key}' returning key`
    ).pipe(Effect.map(([row]) => String((row as { key: string }).key)))
  }
  return { ...bench, sql, trade, change, macOf, copy }
})

type Bench = Effect.Success<typeof make>

/** Each changes the row of a trade, or makes another one, and returns the key of the row that must not be signed. */
const attacks: Readonly<Record<string, (bench: Bench, key: string) => Effect.Effect<string, unknown>>> = {
  ...Object.fromEntries(
    Object.entries({
      "another receiver": "to_address = '0x00000000000000000000000000000000000000cc'",
      "other bytes": "data = data || '00'",
      "another value": "value = 1",
      "another reserve": "reserve = 7",
      "a longer lifetime": "valid_until = now() + interval '1 day'",
      "another gas estimate": `estimate = '{"gas":"21000","at":1}'::jsonb`,
      "no request": "intent_id = null",
      "no MAC": "mac = null",
      "a MAC in no form": "mac = 'not a mac'",
      "an empty MAC": "mac = ''",
      "a MAC of zeros": `mac = '${"0".repeat(64)}'`
    }).map(([what, columns]) => [what, (bench: Bench, key: string) => Effect.as(bench.change(key, columns), key)])
  ),
  "the MAC of another trade": (bench, key) =>
    Effect.gen(function*() {
      const other = yield* bench.macOf(yield* bench.trade)
      yield* bench.change(key, `mac = '${other}'`)
      return key
    }),
  "another key": (bench, key) => bench.copy(key, { key: `'${key.split("/")[0]}/1'` }),
  "another request's key": (bench, key) =>
    Effect.gen(function*() {
      const id = (yield* bench.trade).split("/")[0]!
      yield* bench.sql`delete from submissions where intent_id = ${id}::uuid`
      return yield* bench.copy(key, { key: `'${id}/0'`, intent_id: `'${id}'::uuid` })
    }),
  "the key of a payment": (bench, key) =>
    bench.copy(key, { key: `'settlement/${randomUUID()}'`, intent_id: "null::uuid" })
}

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("a queued row that has got", (it) => {
  for (const [what, attack] of Object.entries(attacks)) {
    it.effect(`${what} is set aside, alerted and not signed, and the lane continues`, () =>
      Effect.gen(function*() {
        const bench = yield* make
        yield* bench.mining
        const honest = yield* bench.trade
        const forged = yield* attack(bench, honest)
        const lane = yield* bench.open
        yield* TestLane.until(bench.row(forged), ({ status }) => status !== "queued")
        const { failure, nonce, status } = yield* bench.row(forged)
        assert.deepStrictEqual([status, nonce, yield* bench.attempts(forged)], ["refused", null, []])
        assert.match(failure?.message ?? "", /was set aside, because its row was not written by this service/)
        assert.include(yield* bench.alerts, "forged_row")
        const [kept] = yield* bench.sql<{ readonly status: string }>`select contents ->> 'status' as status
          from set_aside_rows where contents ->> 'key' = ${forged}`
        assert.strictEqual(kept?.status, "queued")
        assert.strictEqual(bench.fate(yield* lane.submit(yield* bench.trade)), "sent")
      }), concurrent)
  }

  it.effect("the wallet or the network of another lane is not signed there", () =>
    Effect.gen(function*() {
      const [bench, other] = [yield* make, yield* make]
      yield* bench.mining
      yield* other.mining
      const key = yield* bench.trade
      yield* bench.change(key, `wallet = '${other.wallet}'`)
      yield* other.open
      yield* TestLane.until(other.row(key), ({ status }) => status === "refused")
      assert.deepStrictEqual([yield* other.alerts, yield* other.sent], [["forged_row"], 0])

      const moved = yield* bench.trade
      yield* bench.change(moved, "network = 'base'")
      const policy = yield* SigningPolicy
      const book = bench.chain.book({ network: "base" })
      const review = yield* policy.review({ book } as never, bench.wallet, [yield* bench.row(moved)])
      assert.deepStrictEqual([[...review.forged], review.permits.size], [[moved], 0])
    }), concurrent)

  it.effect(
    "a MAC of another planner key, as a restored database may hold, is not signed",
    () =>
      Effect.gen(function*() {
        const bench = yield* make
        yield* bench.mining
        const key = yield* bench.trade
        const older = SubmissionMac.make(Redacted.make("4c".repeat(32)))
        yield* bench.change(key, `mac = '${older.of(yield* bench.row(key))}'`)
        const lane = yield* bench.open
        assert.match(bench.fate(yield* lane.submit(key)), /^internal: .*was set aside.*Nothing was sent/)
        assert.deepStrictEqual([bench.signed, yield* bench.alerts], [[], ["forged_row"]])
      }),
    concurrent
  )

  it.effect("been signed is trusted by its signature, whatever its MAC has become", () =>
    Effect.gen(function*() {
      const bench = yield* make
      const key = yield* bench.trade
      yield* Effect.forkChild((yield* bench.open).submit(key))
      yield* TestLane.until(bench.row(key), ({ status }) => status === "signed")
      yield* bench.change(key, "mac = null")
      yield* bench.mining
      const { _tag } = yield* (yield* bench.open).submit(key)
      assert.deepStrictEqual([_tag, yield* bench.sent], ["Mined", 1])
    }), concurrent)

  it.effect("no MAC from an earlier release gets one when the planner key is first used, and no other row does", () =>
    Effect.gen(function*() {
      const bench = yield* make
      yield* bench.mining
      const [earlier, changed] = [yield* bench.trade, yield* bench.trade]
      yield* bench.change(earlier, "mac = null")
      yield* bench.change(changed, "reserve = 7")
      yield* adoptQueued(TestLane.macs)
      const lane = yield* bench.open
      assert.strictEqual(bench.fate(yield* lane.submit(earlier)), "sent")
      assert.match(bench.fate(yield* lane.submit(changed)), /was set aside/)
      const store = yield* SubmissionStore
      yield* store.setAsideForged(earlier)
      assert.notStrictEqual((yield* bench.row(earlier)).status, "refused")
    }))
})
