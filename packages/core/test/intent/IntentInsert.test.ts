import * as Reactivity from "effect/reactivity/Reactivity"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
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
