import { assert, layer } from "@effect/vitest"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as ClusterTables from "@vault-trader/core/storage/ClusterTables"
import { migrate } from "@vault-trader/core/storage/Migrations"
import { RetentionStore } from "@vault-trader/core/storage/RetentionStore"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import * as Retention from "@vault-trader/workers/storage/Retention"
import * as ClusterSchema from "effect/cluster/ClusterSchema"
import * as Entity from "effect/cluster/Entity"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Cluster from "../../src/Cluster.ts"
import { rows, temporaryFolder } from "@vault-trader/testing/harness/Harness"
import { until } from "@vault-trader/testing/harness/Until"

/** Milliseconds a test may take on a machine with other load. */
const slow = 240_000
const Server = Layer.unwrap(Effect.map(temporaryFolder, (dataDir) => EmbeddedPostgres.layer({ dataDir })))

/** A migrated database for one test. */
const database = (name: string) =>
  Layer.effectDiscard(migrate).pipe(Layer.provideMerge(Layer.unwrap(Effect.gen(function*() {
    const postgres = yield* EmbeddedPostgres
    yield* postgres.createDatabase(name)
    return PostgresClient.layer({ ...postgres.clientConfig(name), maxConnections: 12 })
  }))))

const Stores = Layer.mergeAll(RetentionStore.layer, IntentStore.layer, SubmissionStore.layer)
/** Runs on a new database, with a cluster that has created its tables there. */
const onDatabase = <A, E>(
  name: string,
  effect: Effect.Effect<A, E, SqlClient.SqlClient | RetentionStore | IntentStore | SubmissionStore>
) =>
  effect.pipe(
    Effect.provide(Stores.pipe(Layer.provideMerge(Layer.provideMerge(Cluster.Alone, database(name))))),
    Effect.scoped
  )

const policy: Retention.Policy = { ledgerDays: 3, messageDays: 2, sampleDays: 30 }
const busy = `0x${"1".repeat(40)}` as const
const quiet = `0x${"2".repeat(40)}` as const
const keyId = "00000000-0000-4000-8000-000000000000"

/** Runs statements separated by semicolons, in one transaction or without one. */
const statements = (text: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      Effect.orDie(
        sql.withTransaction(Effect.forEach(text.split(";"), (statement) => sql.unsafe(statement), { discard: true }))
      )
  )

const wallets = statements(`insert into gas_wallets (address, ciphertext) values ('${busy}', 'c'), ('${quiet}', 'c');
  insert into api_keys (id, wallet, digest, last_four) values ('${keyId}', '${busy}', repeat('0', 64), 'abcd')`)

/**
 * The rows of a day: more than a page of everything. Every tenth submission was refused, and each tenth of the rest has
 * two attempts.
 */
const perDay = 450
const messagesPerDay = 600
const day = (n: number, status: "final" | "signed" = "final") => {
  const from = n * perDay
  const nonce = status === "signed" ? "i" : "case when i % 10 = 0 then null else i end"
  const what = status === "signed" ? "'signed'" : "case when i % 10 = 0 then 'refused' else 'final' end"
  return statements(`
    create temporary table today on commit drop as select i, gen_random_uuid() as id from generate_series(${from}, ${
    from + perDay - 1
  }) i;
    insert into intents (id, wallet, key_id, endpoint, network, pool, request, status, step, plan, outcome, idempotency_key)
      select id, '${busy}', '${keyId}', 'vaultTrade', 'base', '${quiet}', '{}', ${
    status === "signed" ? "'submitted'" : "'succeeded'"
  }, 1, '{"venue": "x"}',
        ${status === "signed" ? "null" : "'{}'::jsonb"}, 'key-'||i from today;
    insert into submissions (key, intent_id, network, wallet, to_address, data, value, reserve, status, nonce, receipt, failure)
      select id||'/1', id, 'base', '${busy}', '${quiet}', '0x', 0, 0, ${what}, ${nonce},
        case when ${what} = 'final' then '{}'::jsonb end, case when ${what} = 'refused' then '{}'::jsonb end from today;
    insert into attempts (network, wallet, nonce, attempt, submission_key, hash, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
      select 'base', '${busy}', i, a, id||'/1', '0x'||lpad(to_hex(2 * i + a), 64, '0'), '0x00', 1, 1, 1
      from today, generate_series(0, 1) a where (a = 0 or i % 10 = 1) and ${what} <> 'refused';
    insert into key_spending (intent_id, wallet, day, usd18) select id, '${busy}', current_date, 1 from today;
    insert into charges (intent_id, wallet, network, action, usd) select id, '${busy}', 'base', 'trade', 0.1 from today where i % 10 <> 0;
    insert into cluster_messages (id, shard_id, entity_type, entity_id, kind, tag, payload, headers, processed, request_id, last_reply_id)
      select b + i, 'default:1', 'Bot', 'b', 0, 'tick', '{}', '{}', true, b + i, b + 1000000 + i
      from (select ((extract(epoch from now()) * 1000)::bigint - 1735689600000) << 22 as b) as time, generate_series(${
    n * messagesPerDay
  }, ${(n + 1) * messagesPerDay - 1}) i;
    insert into cluster_replies (id, kind, request_id, payload) select last_reply_id, 0, id, '{}' from cluster_messages
      where last_reply_id not in (select id from cluster_replies)`)
}

/** Makes everything a day older. Ids of messages contain the time, so they change too. */
const dayPasses = statements([
  "update intents set created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day'",
  "update submissions set created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day'",
  "update cluster_messages set id = id - (86400000::bigint << 22), request_id = request_id - (86400000::bigint " +
  "<< 22), last_reply_id = last_reply_id - (86400000::bigint << 22)",
  `update cluster_replies set id = id - (86400000::bigint << 22), request_id = request_id - (86400000::bigint << 22)`
].join(";"))

const counts = Effect.map(
  rows(`select (select count(*) from submissions)::int as submissions, (select count(*) from attempts)::int as attempts,
    (select count(*) from key_spending)::int as spending, (select count(*) from intents where plan is not null)::int as plans,
    (select count(*) from intents where idempotency_key is not null)::int as keys,
    (select count(*) from cluster_messages)::int as messages, (select count(*) from cluster_replies)::int as replies,
    (select count(*) from intents)::int as intents, (select count(*) from charges)::int as charges`),
  ([row]) => row as Readonly<Record<string, number>>
)
const bounded = ["submissions", "attempts", "spending", "plans", "keys", "messages", "replies"] as const

layer(Server, { timeout: slow, excludeTestServices: true })("retention", (it) => {
  it.effect(
    "keeps every table but the customers' history at the size of its window, day after day",
    () =>
      onDatabase(
        "plateau",
        Effect.gen(function*() {
          yield* wallets
          const seen: Array<Readonly<Record<string, number>>> = []
          for (let n = 0; n < 14; n++) {
            yield* day(n)
            yield* dayPasses
            yield* Retention.round(policy)
            seen.push(yield* counts)
          }
          // The longest window, of the idempotency keys, is full after seven days.
          const full = seen.slice(7)
          for (const name of bounded) {
            assert.deepStrictEqual(
              new Set(full.map((each) => each[name])).size,
              1,
              `${name}: ${seen.map((each) => each[name]).join(" ")}`
            )
          }
          const [{ attempts, keys, messages, replies, submissions }] = full as [Readonly<Record<string, number>>]
          assert.isAtMost(submissions!, 3 * perDay)
          assert.isAtMost(attempts!, 4 * perDay)
          assert.isAtMost(keys!, 7 * perDay)
          assert.isAtMost(messages!, 2 * messagesPerDay)
          assert.strictEqual(replies, messages)
          // Requests, outcomes and charges are all there.
          assert.deepStrictEqual(seen.map(({ intents }) => intents), seen.map((_, n) => (n + 1) * perDay))
          assert.deepStrictEqual(
            seen.map(({ charges }) => charges),
            seen.map((_, n) => (n + 1) * perDay * 0.9)
          )
        })
      ),
    slow
  )

  it.effect(
    "takes nothing that is open, however old, and leaves every lane the row its next nonce comes from",
    () =>
      onDatabase(
        "open",
        Effect.gen(function*() {
          yield* wallets
          yield* day(0)
          yield* day(1, "signed")
          yield* rows(`update intents set status = 'submitted', outcome = null where idempotency_key = 'key-7'`)
          yield* statements(
            `insert into submissions (key, network, wallet, to_address, data, value, reserve, status, nonce, receipt)
        values ('filler/base/${quiet}/4', 'base', '${quiet}', '${quiet}', '0x', 0, 0, 'final', 4, '{}'),
          ('filler/base/${quiet}/5', 'base', '${quiet}', '${quiet}', '0x', 0, 0, 'superseded', 5, null);
        insert into cluster_messages (id, shard_id, entity_type, entity_id, kind, processed, request_id)
          values (1, 'other:1', 'Bot', 'b', 0, false, 1)`
          )
          yield* statements(
            `update intents set created_at = created_at - interval '100 days', updated_at = updated_at - interval '100 days';
        update submissions set updated_at = updated_at - interval '100 days'`
          )
          yield* Retention.round(policy)
          const left = yield* rows(
            `select status, count(*)::int as many from submissions where wallet = '${busy}' group by status order by status`
          )
          assert.deepStrictEqual(left, [{ status: "final", many: 1 }, { status: "signed", many: perDay }])
          assert.deepStrictEqual(yield* rows(`select key from submissions where wallet = '${quiet}'`), [{
            key: `filler/base/${quiet}/5`
          }])
          assert.deepStrictEqual(yield* rows("select processed from cluster_messages where not processed"), [{
            processed: false
          }])
          assert.deepStrictEqual(
            yield* rows("select count(*)::int as many from intents where idempotency_key is not null"),
            [{ many: perDay + 1 }]
          )
          assert.strictEqual((yield* (yield* SubmissionStore).inFlight("base", busy)).length, perDay + 45)
          const [next] = yield* rows(
            `select max(nonce)::int + 1 as next from submissions where network = 'base' and wallet = '${quiet}'`
          )
          assert.deepStrictEqual(next, { next: 6 })
        })
      ),
    slow
  )

  it.effect(
    "frees an idempotency key after a week: the same key is then another request",
    () =>
      onDatabase(
        "keys",
        Effect.gen(function*() {
          yield* wallets
          const store = yield* IntentStore
          const request = TradeRequest.make({ from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" })
          const intent = {
            wallet: busy,
            keyId,
            endpoint: "vaultTrade",
            network: "base",
            pool: quiet,
            request,
            idempotencyKey: "k"
          } as const
          const first = yield* store.accept(intent)
          yield* rows(
            `update intents set status = 'succeeded', outcome = '{"_tag": "Succeeded", "txHash": null, ` +
              `"message": "m", "result": {}}', created_at = now() - interval '6 days 23 hours'`
          )
          yield* Retention.round(policy)
          assert.deepStrictEqual(yield* store.accept(intent), first)
          yield* rows("update intents set created_at = now() - interval '7 days 1 minute'")
          yield* Retention.round(policy)
          const second = yield* store.accept(intent)
          assert.notStrictEqual(second.id, first.id)
          assert.strictEqual((yield* store.find(first.id))._tag, "Some")
        })
      ),
    slow
  )

  it.effect(
    "is done once by two runners at once, waits for no locked rows, and resumes where it was interrupted",
    () =>
      onDatabase(
        "together",
        Effect.gen(function*() {
          yield* wallets
          for (const n of [0, 1, 2]) yield* day(n)
          yield* day(3, "signed")
          for (let n = 0; n < 10; n++) yield* dayPasses
          const before = yield* counts
          // Another session holds a lock on a row in the middle.
          const sql = yield* SqlClient.SqlClient
          const held = yield* Deferred.make<void>()
          const release = yield* Deferred.make<void>()
          const holder = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
            yield* sql`select key from submissions where nonce = 501 for update`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(release)
          })))
          yield* Deferred.await(held)
          // A runner is killed after its first page.
          const broken = yield* Effect.flatMap(RetentionStore, (store) => store.workingPapers(policy.ledgerDays, null))
          const both = yield* Effect.all([Retention.round(policy), Retention.round(policy)], { concurrency: 2 })
          const removed = broken.removed + both[0].submissions + both[1].submissions
          yield* Deferred.succeed(release, undefined)
          yield* Fiber.join(holder)
          assert.strictEqual(removed, 3 * perDay - 1)
          assert.strictEqual(both[0].messages + both[1].messages, before["messages"])
          assert.strictEqual((yield* Retention.round(policy)).submissions, 1)
          assert.strictEqual((yield* counts)["submissions"], perDay)
        })
      ),
    slow
  )
})

const Echo = Entity.make("Echo", [
  Rpc.make("volatile", { payload: { n: Schema.Int }, success: Schema.Int }),
  Rpc.make("persisted", { payload: { n: Schema.Int }, success: Schema.Int, primaryKey: ({ n }) => String(n) }).annotate(
    ClusterSchema.Persisted,
    true
  )
])
const EchoLive = Echo.toLayer({
  volatile: ({ payload }) => Effect.succeed(payload.n),
  persisted: ({ payload }) => Effect.succeed(payload.n)
}, {
  concurrency: "unbounded",
  disableFatalDefects: true
})

layer(Server, { timeout: slow, excludeTestServices: true })("the cluster's tables", (it) => {
  it.effect(
    "get an index of what is unread from the runner, which then polls through it; volatile traffic leaves no row, persisted is purged",
    () =>
      Effect.gen(function*() {
        const client = yield* Echo.client
        const numbers = Array.from({ length: 30 }, (_, n) => n)
        yield* Effect.forEach(numbers, (n) => client(`echo-${n % 5}`).volatile({ n }), { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* rows("select count(*)::int as many from cluster_messages"), [{ many: 0 }])
        yield* Effect.forEach(numbers, (n) => client(`echo-${n % 5}`).persisted({ n }), { concurrency: "unbounded" })
        const left = rows(
          `select (select count(*)::int from cluster_messages) as messages, (select count(*)::int from cluster_replies) as replies`
        )
        assert.deepStrictEqual(yield* left, [{ messages: 30, replies: 30 }])

        const index = rows(
          "select indexdef from pg_indexes where tablename = 'cluster_messages' and indexname = 'cluster_messages_unread'"
        )
        const [made] = yield* until("the index", Effect.map(index, (found) => found.length > 0 ? found : undefined))
        assert.match(String(made!["indexdef"]), /\(shard_id\) WHERE \(processed = false\)/)
        assert.isTrue(yield* ClusterTables.indexUnread)

        yield* rows(`insert into cluster_messages (id, shard_id, entity_type, entity_id, kind, processed, request_id)
        select i, 'default:'||(1 + i % 32), 'Bot', 'b', 0, true, i from generate_series(1, 20000) i`)
        yield* rows("analyze cluster_messages")
        const scans = Effect.map(
          rows(
            "select idx_scan::int as scans from pg_stat_user_indexes where indexrelname = 'cluster_messages_unread'"
          ),
          ([row]) => Number(row!["scans"])
        )
        const before = yield* scans
        yield* until("a poll through the index", Effect.map(scans, (now) => now > before ? now : undefined))

        const policy = { ledgerDays: 30, messageDays: 7, sampleDays: 30 }
        assert.strictEqual((yield* Retention.round(policy)).messages, 20_000)
        assert.deepStrictEqual(yield* left, [{ messages: 30, replies: 30 }])
        yield* Effect.repeat(dayPasses, { times: 7 })
        assert.strictEqual((yield* Retention.round(policy)).messages, 30)
        assert.deepStrictEqual(yield* left, [{ messages: 0, replies: 0 }])
      }).pipe(
        Effect.provide(
          Layer.mergeAll(EchoLive, Retention.RetentionLive(Retention.defaultPolicy)).pipe(
            Layer.provideMerge(RetentionStore.layer),
            Layer.provideMerge(Cluster.Alone),
            Layer.provideMerge(database("cluster"))
          )
        ),
        Effect.scoped
      ),
    slow
  )
})
