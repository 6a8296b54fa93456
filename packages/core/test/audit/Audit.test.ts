import { assert, layer } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as SqlClient from "effect/sql/SqlClient"
import * as Audit from "../../src/audit/Audit.ts"
import { genesis } from "../../src/audit/AuditEntry.ts"
import { Database, freshAddress, row } from "../storage/Database.ts"

const head = row(
  `select seq, previous, digest, actor_kind, actor, origin, credential, action, subject, wallet, details
    from audit_entries order by seq desc limit 1`
)

layer(Database, { timeout: "4 minutes", excludeTestServices: true })("Audit", (it) => {
  it.effect("chains every entry to the one before it, from the genesis digest on", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const wallet = yield* freshAddress
      yield* sql.withTransaction(Audit.append(sql, { action: "wallet.created", subject: wallet, wallet }))
      const first = yield* head
      assert.deepInclude(first, { seq: "1", previous: genesis, actor_kind: "service", actor: null, wallet })
      yield* sql.withTransaction(Audit.appendAll(sql, [
        { action: "key.issued", subject: "one", wallet, details: { last_four: "abcd" } },
        { action: "switch.on", subject: "service", wallet: null, details: { reason: "a\0b\ud800", none: undefined } }
      ])).pipe(
        Effect.provideService(Audit.Actor, { kind: "key", id: "id", from: "10.0.0.0/24", credential: "…abcd" })
      )
      const last = yield* head
      assert.deepInclude(last, { seq: "3", actor_kind: "key", actor: "id", origin: "10.0.0.0/24", credential: "…abcd" })
      assert.deepStrictEqual(last?.details, { reason: "a\ufffdb\ufffd" })
      const second = yield* row("select previous, digest from audit_entries where seq = 2")
      assert.strictEqual(second?.previous, first?.digest)
      assert.strictEqual(last?.previous, second?.digest)
    }))

  it.effect("leaves no entry when the transaction of the change is rolled back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const before = yield* head
      yield* sql.withTransaction(
        Effect.andThen(Audit.append(sql, { action: "bot.set", subject: "x", wallet: null }), Effect.fail("stop"))
      ).pipe(Effect.flip)
      assert.deepStrictEqual(yield* head, before)
    }))

  it.effect("dies outside a transaction", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const exit = yield* Effect.exit(Audit.append(sql, { action: "bot.set", subject: "x", wallet: null }))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    }))

  it.effect("records a change at the end of its transaction, so that a row lock taken after it cannot deadlock", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table shared_row as select 1 as id`
      const lockRow = sql`select id from shared_row for update`
      const recorded = yield* Deferred.make<void>()
      const locked = yield* Deferred.make<void>()
      const change = (subject: string) => Audit.append(sql, { action: "bot.set", subject, wallet: null })
      const first = sql.withTransaction(Effect.gen(function*() {
        yield* lockRow
        yield* Deferred.succeed(locked, undefined)
        yield* Deferred.await(recorded)
        yield* change("the row's holder")
      }))
      const second = Audit.transaction(
        sql,
        Effect.gen(function*() {
          yield* Deferred.await(locked)
          yield* change("the row's next holder")
          yield* Deferred.succeed(recorded, undefined)
          yield* lockRow
        })
      )
      yield* Effect.all([first, second], { concurrency: 2 })
      assert.deepInclude(yield* head, { subject: "the row's next holder" })
    }))

  it.effect("records nothing of a part that was rolled back, and the rest", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const change = (subject: string) => Audit.append(sql, { action: "bot.set", subject, wallet: null })
      const part = Audit.transaction(sql, Effect.andThen(change("rolled back"), Effect.fail("stop")))
      const whole = Effect.gen(function*() {
        yield* change("kept")
        yield* Effect.flip(part)
        yield* Audit.recorded(sql, sql`select 1`, () => [{ action: "bot.set", subject: "kept too", wallet: null }])
      })
      yield* Audit.transaction(sql, whole)
      const kept = yield* row(`select string_agg(subject, ',' order by seq) as subjects from audit_entries
        where subject in ('kept', 'rolled back', 'kept too')`)
      assert.deepStrictEqual(kept, { subjects: "kept,kept too" })
    }))

  it.effect("makes one chain of concurrent transactions", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(
        Array.from({ length: 40 }, (_, index) => index),
        (index) =>
          sql.withTransaction(Audit.append(sql, { action: "bot.set", subject: `concurrent ${index}`, wallet: null })),
        { concurrency: 16 }
      )
      const gaps = yield* row(`select count(*)::int as entries, count(*) filter (where l.digest is null)::int as loose
        from audit_entries e left join audit_entries l on l.seq = e.seq - 1 and l.digest = e.previous
        where e.subject like 'concurrent %'`)
      assert.deepStrictEqual(gaps, { entries: 40, loose: 0 })
    }))

  it.effect("refuses to change, delete or truncate entries, also as a superuser", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const before = yield* head
      for (
        const statement of [
          "update audit_entries set subject = 'other'",
          "delete from audit_entries",
          "delete from audit_entries where seq = 2",
          "delete from audit_entries where seq = (select max(seq) from audit_entries)",
          "truncate audit_entries",
          "truncate audit_entries, audit_seals cascade",
          `insert into audit_entries select seq + 1000, at, actor_kind, actor, origin, credential, action, subject, wallet,
            details, previous, digest from audit_entries limit 1`
        ]
      ) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(sql.unsafe(statement))), statement)
      }
      assert.deepStrictEqual(yield* head, before)
    }))
})
