import * as Reactivity from "effect/reactivity/Reactivity"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { Failed } from "../../src/intent/Intent.ts"
import { AcceptanceUnknown, type NewIntent } from "../../src/intent/IntentInsert.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import * as Uuid from "../../src/storage/Uuid.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(ApiKeyStore.layer, GasWalletStore.layer).pipe(Layer.provideMerge(Database))

/** The fate of one statement, or of a connection request. */
type Fate = "runs" | "runsButFails" | "fails" | "noConnection"

const broken = new SqlError({
  reason: new ConnectionError({
    cause: new Error("Connection terminated unexpectedly"),
    message: "Failed to execute statement"
  })
})

/** Builds a store over a client whose statements end as `fate` returns. */
const storeOver = (
  fate: (statement: string) => Fate
): Effect.Effect<IntentStore["Service"], never, SqlClient.SqlClient | Scope.Scope> =>
  Effect.gen(function*() {
    const real = yield* SqlClient.SqlClient
    const around = (connection: Connection): Connection => {
      const faulty = (text: string, run: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.suspend(() => {
          const what = fate(text)
          return what === "runs" ? run : what === "runsButFails" ? Effect.andThen(run, broken) : broken
        })
      return {
        ...connection,
        execute: (text, params, transform) => faulty(text, connection.execute(text, params, transform))
      }
    }
    const reserve = Effect.suspend(() => fate("connect") === "noConnection" ? broken : Effect.map(real.reserve, around))
    const pooled: Connection["execute"] = (text, params) =>
      Effect.scoped(Effect.flatMap(real.reserve, (connection) => connection.execute(text, params, undefined)))
    const unused = () => Effect.die(new Error("not used"))
    const plain = Effect.succeed(around({
      execute: pooled,
      executeUnprepared: pooled,
      executeRaw: unused,
      executeValues: unused,
      executeValuesUnprepared: unused,
      executeStream: () => Stream.die(new Error("not used"))
    }))
    const client = yield* SqlClient.make({
      acquirer: plain,
      transactionAcquirer: reserve,
      compiler: PgClient.makeCompiler(),
      driver: "test",
      spanAttributes: []
    })
    const context = yield* Layer.build(
      Layer.fresh(IntentStore.layer).pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, client)))
    )
    return yield* Effect.provide(IntentStore, context)
  }).pipe(Effect.provide(Reactivity.layer))

/** Applies each fate once, in order; later insertions run normally. */
const once = (...fates: ReadonlyArray<Fate>) => {
  const left = [...fates]
  return (statement: string): Fate => statement.startsWith("insert into intents") ? left.shift() ?? "runs" : "runs"
}

const request = TradeRequest.make({ from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" })
const fresh = Effect.gen(function*() {
  const { address, keyId } = yield* wallet
  return {
    wallet: address,
    keyId,
    endpoint: "vaultTrade",
    network: "base",
    pool: yield* freshAddress,
    request,
    idempotencyKey: null
  } satisfies NewIntent
})
const idsOf = (intent: NewIntent) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      Effect.map(
        sql<{ readonly id: string }>`select id from intents where wallet = ${intent.wallet} order by id`,
        (rows) => rows.map(({ id }) => id)
      )
  )

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("acceptance by a database that goes away", (it) => {
  it.effect("is reported as accepted, once, when the commit happened and its answer was lost", () =>
    Effect.gen(function*() {
      const store = yield* storeOver(once("runsButFails"))
      const intent = yield* fresh
      const { _tag, id } = yield* store.accept(intent)
      assert.strictEqual(_tag, "accepted")
      assert.deepStrictEqual(yield* idsOf(intent), [id])
    }))

  it.effect("is reported as accepted, once, when the statement was lost", () =>
    Effect.gen(function*() {
      const store = yield* storeOver(once("fails", "fails"))
      const intent = yield* fresh
      const { id } = yield* store.accept(intent)
      assert.deepStrictEqual(yield* idsOf(intent), [id])
    }))

  it.effect("stays idempotent when an answer is lost", () =>
    Effect.gen(function*() {
      const store = yield* storeOver(once("runsButFails"))
      const intent: NewIntent = { ...(yield* fresh), idempotencyKey: "k" }
      const first = yield* store.accept(intent)
      assert.deepStrictEqual(yield* store.accept(intent), first)
      const other = yield* store.accept({ ...intent, request: TradeRequest.make({ ...request, share: 5 }) })
      assert.deepStrictEqual(other, { _tag: "conflict", id: first.id })
      assert.deepStrictEqual(yield* idsOf(intent), [first.id])
    }))

  it.effect("is unknown, with the id it may have, when the database stays unreachable after the statement", () =>
    Effect.gen(function*() {
      let away = false
      const store = yield* storeOver((statement) => {
        if (away) return statement === "connect" ? "noConnection" : "fails"
        away = statement.startsWith("insert into intents")
        return away ? "runsButFails" : "runs"
      })
      const intent = yield* fresh
      const unknown = yield* Effect.flip(store.accept(intent))
      if (!(unknown instanceof AcceptanceUnknown)) return assert.fail(String(unknown))
      assert.deepStrictEqual(yield* idsOf(intent), [unknown.id])
    }))

  it.effect("is certainly not committed when no connection is available, without a wait", () =>
    Effect.gen(function*() {
      const store = yield* storeOver(() => "noConnection")
      const intent = yield* fresh
      assert.isTrue((yield* Effect.flip(store.accept(intent))) instanceof SqlError)
      assert.deepStrictEqual(yield* idsOf(intent), [])
    }))

  it.effect("is certainly not committed when the database itself refuses the row", () =>
    Effect.gen(function*() {
      const store = yield* storeOver(() => "runs")
      const intent = { ...(yield* fresh), keyId: yield* Uuid.v7 }
      assert.isTrue((yield* Effect.flip(store.accept(intent))) instanceof SqlError)
      assert.deepStrictEqual(yield* idsOf(intent), [])
    }))

  it.effect("succeeds for the other intents of a batch when only the lookup of an earlier intent fails", () =>
    Effect.gen(function*() {
      let lookupFails = false
      const store = yield* storeOver((statement) => lookupFails && statement.startsWith("select") ? "fails" : "runs")
      const repeated: NewIntent = { ...(yield* fresh), idempotencyKey: "k" }
      const plain = yield* fresh
      const first = yield* store.accept(repeated)
      lookupFails = true
      const [again, beside] = yield* Effect.all([
        Effect.result(store.accept(repeated)),
        Effect.result(store.accept(plain))
      ], { concurrency: 2 })
      assert.isTrue(Result.isFailure(again) && again.failure instanceof AcceptanceUnknown)
      assert.deepStrictEqual(yield* idsOf(plain), Result.isSuccess(beside) ? [beside.success.id] : ["accepted"])
      assert.deepStrictEqual(yield* idsOf(repeated), [first.id])
    }))
})

/** A trade that is made once while it is unfinished. */
const single = Effect.map(fresh, (intent): NewIntent => ({ ...intent, absorbed: true }))
const end = (id: string) =>
  Effect.flatMap(IntentStore, (store) =>
    store.finish(
      id,
      Failed.make({ txHash: null, failure: new ExecutionFailure({ errorType: "no_route", message: "None." }) }),
      Option.none()
    ))

layer(Layer.provideMerge(IntentStore.layer, Stores), { timeout: "4 minutes", excludeTestServices: true })(
  "identical requests without a key",
  (it) => {
    it.effect("are one intent while it is unfinished, however many arrive at once at two servers", () =>
      Effect.gen(function*() {
        const servers = [yield* storeOver(() => "runs"), yield* storeOver(() => "runs")] as const
        const intents = yield* Effect.forEach(Array.from({ length: 5 }), () => single)
        // Each server gets the requests in another order, which must not make them wait for each other.
        const sent = [
          ...Array.from({ length: 50 }, (_, n) => [servers[0], intents[n % 5]!] as const),
          ...Array.from({ length: 50 }, (_, n) => [servers[1], intents[4 - n % 5]!] as const)
        ]
        const answers = yield* Effect.forEach(
          sent,
          ([store, intent]) => Effect.map(store.accept(intent), (answer) => ({ intent, answer })),
          { concurrency: "unbounded" }
        )
        for (const intent of intents) {
          const [id, ...others] = yield* idsOf(intent)
          const own = answers.filter((each) => each.intent === intent).map(({ answer }) => answer)
          assert.deepStrictEqual([others, new Set(own.map((answer) => answer.id))], [[], new Set([id])])
          assert.deepStrictEqual(
            own.map(({ _tag }) => _tag).sort(),
            ["accepted", ...Array.from({ length: 19 }, () => "twin")]
          )
        }
      }))

    it.effect("are different intents once the first one has ended, also when a reorg reopens it", () =>
      Effect.gen(function*() {
        const store = yield* IntentStore
        const sql = yield* SqlClient.SqlClient
        const intent = yield* single
        const first = yield* store.accept(intent)
        assert.deepStrictEqual(yield* store.accept(intent), { _tag: "twin", id: first.id })
        assert.deepStrictEqual(yield* store.findAccepted(intent), Option.some({ _tag: "twin", id: first.id }))
        yield* sql`update intents set status = 'submitted' where id = ${first.id}`
        assert.deepStrictEqual(yield* store.accept(intent), { _tag: "twin", id: first.id })
        assert.isTrue(yield* end(first.id))
        assert.isTrue(Option.isNone(yield* store.findAccepted(intent)))
        const second = yield* store.accept(intent)
        assert.deepStrictEqual([second._tag, second.id === first.id], ["accepted", false])
        yield* sql`update intents set status = 'submitted', outcome = null where id = ${first.id}`
        assert.deepStrictEqual(yield* store.accept(intent), { _tag: "twin", id: second.id })
        assert.isTrue(yield* end(first.id))
        assert.isTrue(yield* end(second.id))
      }))

    it.effect("are only those of the same wallet, network, vault and request, without a key and without a wish for two", () =>
      Effect.gen(function*() {
        const store = yield* IntentStore
        const intent = yield* single
        const first = yield* store.accept(intent)
        const { address, keyId } = yield* wallet
        const others: ReadonlyArray<NewIntent> = [
          { ...intent, wallet: address, keyId },
          { ...intent, network: "polygon" },
          { ...intent, pool: yield* freshAddress },
          { ...intent, request: TradeRequest.make({ ...request, from: "DAI" }) },
          { ...intent, request: TradeRequest.make({ ...request, share: 50 }) },
          { ...intent, request: TradeRequest.make({ ...request, slippage: 1 }) },
          { ...intent, request: TradeRequest.make({ ...request, platform: "best" }) },
          { ...intent, idempotencyKey: "a key of its own" },
          { ...intent, absorbed: false }
        ]
        for (const other of others) {
          const { _tag, id } = yield* store.accept(other)
          assert.deepStrictEqual([_tag, id === first.id], ["accepted", false])
        }
        assert.deepStrictEqual(yield* store.accept({ ...intent, validFor: 60 }), { _tag: "twin", id: first.id })
        // Intents that bots insert with their own rows are never absorbed.
        const ofBot = yield* store.acceptInTransaction(intent)
        assert.deepStrictEqual([ofBot._tag, ofBot.id === first.id], ["accepted", false])
      }))

    it.effect("are reported as their own intent when the answer to the insertion was lost", () =>
      Effect.gen(function*() {
        const store = yield* storeOver(once("runsButFails"))
        const intent = yield* single
        const { _tag, id } = yield* store.accept(intent)
        assert.strictEqual(_tag, "accepted")
        assert.deepStrictEqual(yield* idsOf(intent), [id])
        assert.deepStrictEqual(yield* store.accept(intent), { _tag: "twin", id })
      }))
  }
)
