import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Address } from "../../src/chain/Address.ts"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { MintManagerFeeRequest } from "../../src/fees/Fees.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { Failed, Succeeded } from "../../src/intent/Intent.ts"
import type { NewIntent } from "../../src/intent/IntentInsert.ts"
import { queueOf } from "../../src/intent/IntentQueue.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import * as Uuid from "../../src/storage/Uuid.ts"
import { ApproveRequest, TradeRequest } from "../../src/trading/Trading.ts"
import { Database, freshAddress, row, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(IntentStore.layer, ApiKeyStore.layer, GasWalletStore.layer).pipe(
  Layer.provideMerge(Database)
)

const hash = `0x${"ab".repeat(32)}` as const
const trade = TradeRequest.make({ from: "USDC", to: "WETH", share: 50, slippage: 0.5, platform: "auto" })
const succeeded = Succeeded.make({ txHash: hash, message: "Sold.", result: { venue: "uniswapV3" } })
const failed = Failed.make({
  txHash: null,
  failure: new ExecutionFailure({ errorType: "no_route", message: "No venue has a route." })
})
const charge = Option.some({
  action: "trade",
  usd: 0.1,
  nativeWei: 33_000_000_000_000n,
  nativePriceUsd18: 3000n * 10n ** 18n,
  priceSource: "chainlink",
  priceAt: 1_700_000_000_500
})

/** Builds a request of a fresh wallet on a fresh vault. */
const fresh = Effect.gen(function*() {
  const { address, keyId } = yield* wallet
  const pool = yield* freshAddress
  return {
    wallet: address,
    keyId,
    endpoint: "vaultTrade",
    network: "base",
    pool,
    request: trade,
    idempotencyKey: null
  } satisfies NewIntent
})
const accepted = Effect.gen(function*() {
  const intent = yield* fresh
  const { id } = yield* (yield* IntentStore).accept(intent)
  return { id, intent }
})
const found = (id: string) => Effect.flatMap(IntentStore, (store) => Effect.flatMap(store.find(id), Effect.fromOption))
const count = (table: string, where: string) =>
  Effect.map(row(`select count(*)::int as count from ${table} where ${where}`), (found) => found?.["count"])

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("IntentStore", (it) => {
  it.effect("has committed an intent when accept returns", () =>
    Effect.gen(function*() {
      const { id, intent } = yield* accepted
      // Another connection sees it, so it is not in an open transaction.
      assert.strictEqual(yield* count("intents", `id = '${id}' and status = 'accepted' and tx_hash is null`), 1)
      const stored = yield* found(id)
      assert.deepStrictEqual(
        {
          wallet: stored.wallet,
          keyId: stored.keyId,
          network: stored.network,
          pool: stored.pool,
          endpoint: stored.endpoint
        },
        {
          wallet: intent.wallet,
          keyId: intent.keyId,
          network: intent.network,
          pool: intent.pool,
          endpoint: intent.endpoint
        }
      )
      assert.deepStrictEqual({ ...stored.request }, { ...intent.request })
    }))

  it.effect("accepts many at once, each with its own id", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const intent = yield* fresh
      const requests = Array.from(
        { length: 1200 },
        (_, index) => ({ ...intent, request: TradeRequest.make({ ...trade, share: 1 + index % 100 }) })
      )
      const accepted = yield* Effect.forEach(requests, store.accept, { concurrency: "unbounded" })
      assert.isTrue(accepted.every(({ _tag }) => _tag === "accepted"))
      assert.strictEqual(new Set(accepted.map(({ id }) => id)).size, requests.length)
      const picked = yield* Effect.forEach([0, 17, 499, 500, 1199], (index) =>
        Effect.map(found(accepted[index]!.id), ({ request }) => request))
      assert.deepStrictEqual(
        picked.map((request) =>
          request._tag === "Trade" ? request.share : undefined
        ),
        [1, 18, 100, 1, 100]
      )
    }))

  it.effect("answers the same key and request with the same intent", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const intent = { ...(yield* fresh), idempotencyKey: "signal-1" }
      const first = yield* store.accept(intent)
      const again = yield* store.accept({ ...intent, request: TradeRequest.make({ ...trade }) })
      assert.deepStrictEqual(again, { _tag: "accepted", id: first.id })
      assert.strictEqual(yield* count("intents", `wallet = '${intent.wallet}'`), 1)
    }))

  it.effect("recognizes a repeated request whatever the notation of its decimals and its omitted fields", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const plain = { from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" } as const
      const amount = (text: string) => ({ amount: BigDecimal.fromStringUnsafe(text) })
      const pairs = [
        [TradeRequest.make({ ...plain, ...amount("1.50") }), TradeRequest.make({ ...plain, ...amount("15e-1") })],
        [TradeRequest.make({ ...plain, ...amount("1e-30") }), TradeRequest.make({ ...plain, ...amount("0.1e-29") })],
        [TradeRequest.make(plain), TradeRequest.make(plain)],
        [
          ApproveRequest.make({ asset: "USDC", platform: "auto" }),
          ApproveRequest.make({ asset: "USDC", platform: "auto" })
        ]
      ] as const
      for (const [request, again] of pairs) {
        const intent = { ...(yield* fresh), idempotencyKey: "k" }
        const first = yield* store.accept({ ...intent, request })
        assert.deepStrictEqual(yield* store.accept({ ...intent, request: again }), first, JSON.stringify(request))
      }
    }))

  it.effect("reports a conflict when the key is reused for another request, network, vault or endpoint", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const intent: NewIntent = { ...(yield* fresh), idempotencyKey: "signal-1" }
      const { id } = yield* store.accept(intent)
      const others: ReadonlyArray<NewIntent> = [
        { ...intent, request: TradeRequest.make({ ...trade, share: 51 }) },
        { ...intent, request: ApproveRequest.make({ asset: "USDC", platform: "auto" }) },
        { ...intent, network: "polygon" },
        { ...intent, pool: yield* freshAddress },
        { ...intent, endpoint: "approve" }
      ]
      for (const other of others) assert.deepStrictEqual(yield* store.accept(other), { _tag: "conflict", id })
      assert.strictEqual(yield* count("intents", `wallet = '${intent.wallet}'`), 1)
    }))

  it.effect("keeps the keys of different wallets apart, and distinguishes keys by case", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const one = { ...(yield* fresh), idempotencyKey: "k" }
      const ids = yield* Effect.forEach([one, { ...(yield* fresh), idempotencyKey: "k" }, {
        ...one,
        idempotencyKey: "K"
      }], store.accept)
      assert.strictEqual(new Set(ids.map(({ id }) => id)).size, 3)
    }))

  it.effect("creates one row when a key is used many times at once, from several stores", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const intent = { ...(yield* fresh), idempotencyKey: "at-once" }
      const sql = yield* SqlClient.SqlClient
      const others = yield* Effect.replicateEffect(
        Effect.map(Layer.build(Layer.fresh(IntentStore.layer)), (context) => Context.get(context, IntentStore)),
        3
      ).pipe(Effect.provideService(SqlClient.SqlClient, sql))
      const all = Array.from({ length: 40 }, (_, index) => [store, ...others][index % 4]!)
      const results = yield* Effect.forEach(all, (each) => each.accept(intent), { concurrency: "unbounded" })
      assert.deepStrictEqual(new Set(results.map(({ _tag, id }) => `${_tag} ${id}`)).size, 1)
      assert.strictEqual(results[0]?._tag, "accepted")
      assert.strictEqual(yield* count("intents", `wallet = '${intent.wallet}'`), 1)
    }).pipe(Effect.scoped))

  it.effect("returns the same intent id to all requests that race for one key", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const intent = { ...(yield* fresh), idempotencyKey: "race" }
      const results = yield* Effect.forEach([1, 2, 3, 4], (share) =>
        store.accept({ ...intent, request: TradeRequest.make({ ...trade, share }) }), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        results.map(({ _tag }) =>
          _tag
        ).sort(),
        ["accepted", "conflict", "conflict", "conflict"]
      )
      assert.strictEqual(new Set(results.map(({ id }) => id)).size, 1)
    }))

  it.effect("never mistakes an intent committed during a key lookup for another kind of request", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const intent = yield* fresh
      const lookup = (named: NewIntent) => Effect.repeat(store.findAccepted(named), { until: Option.isSome })
      const found = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, index) => ({ ...intent, idempotencyKey: `looked-up-${index}` })),
        (named) =>
          Effect.map(
            Effect.all([
              store.accept(named),
              ...Array.from({ length: 8 }, () => Effect.map(lookup(named), Option.getOrThrow))
            ], { concurrency: "unbounded" }),
            (answers) => new Set(answers.map(({ _tag, id }) => `${_tag} ${id}`))
          )
      )
      assert.deepStrictEqual(found.filter((answers) => answers.size !== 1).map((answers) => [...answers]), [])
    }))

  it.effect("finishes once: the first outcome is kept, and one charge is booked", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const { id, intent } = yield* accepted
      yield* Effect.all([
        store.finish(id, succeeded, charge),
        store.finish(id, succeeded, charge),
        store.finish(id, failed, Option.none())
      ], {
        concurrency: "unbounded"
      })
      yield* store.finish(id, failed, charge)
      const { outcome, status, txHash } = yield* found(id)
      assert.strictEqual(status, outcome?._tag === "Succeeded" ? "succeeded" : "failed")
      assert.isTrue(outcome?._tag === "Failed" || txHash === hash)
      assert.strictEqual(yield* count("charges", `intent_id = '${id}'`), outcome?._tag === "Succeeded" ? 1 : 0)
      assert.strictEqual(yield* count("charges", `wallet = '${intent.wallet}'`), outcome?._tag === "Succeeded" ? 1 : 0)
    }))

  it.effect("books the charge with the current price", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const { id } = yield* accepted
      yield* store.finish(id, succeeded, charge)
      assert.deepStrictEqual(
        yield* row(
          "select action, usd::text, native_wei::text, native_price_usd::float8, price_source, extract(epoch " +
            `from price_at)::float8 as priced from charges where intent_id = '${id}'`
        ),
        {
          action: "trade",
          usd: "0.100000",
          native_wei: "33000000000000",
          native_price_usd: 3000,
          price_source: "chainlink",
          priced: 1_700_000_000.5
        }
      )
      const unpriced = yield* accepted
      yield* store.finish(
        unpriced.id,
        succeeded,
        Option.some({
          action: "trade",
          usd: 0.1,
          nativeWei: null,
          nativePriceUsd18: null,
          priceSource: null,
          priceAt: null
        })
      )
      assert.deepStrictEqual(
        yield* row(
          `select usd::text, native_wei, native_price_usd, price_source, price_at from charges where intent_id = '${unpriced.id}'`
        ),
        { usd: "0.100000", native_wei: null, native_price_usd: null, price_source: null, price_at: null }
      )
    }))

  it.effect("books nothing for a failed intent, not even when it is finished as succeeded afterwards, and keeps its hash", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const { id } = yield* accepted
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update intents set status = 'submitted', tx_hash = ${hash} where id = ${id}`
      )
      yield* store.finish(id, failed, Option.none())
      yield* store.finish(id, succeeded, charge)
      const { outcome, status, txHash } = yield* found(id)
      assert.deepStrictEqual([status, outcome?._tag, txHash], ["failed", "Failed", hash])
      assert.strictEqual(yield* count("charges", `intent_id = '${id}'`), 0)
    }))

  it.effect("stores the plan of a step until the intent has ended, and none after that", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const { id } = yield* accepted
      const progress = Effect.map(
        Effect.flatMap(store.findInProgress(id), Effect.fromOption),
        ({ intent, plan, step }) => ({ id: intent.id, plan, step })
      )
      assert.deepStrictEqual(yield* progress, { id, step: 0, plan: null })
      yield* store.recordPlan(id, { step: 1, plan: { venue: "uniswapV3" } })
      assert.deepStrictEqual(yield* progress, { id, step: 1, plan: { venue: "uniswapV3" } })
      yield* store.finish(id, failed, Option.none())
      const over = yield* Effect.flip(store.recordPlan(id, { step: 2, plan: null }))
      assert.strictEqual(over._tag, "IntentAlreadyEnded")
      assert.deepStrictEqual(yield* progress, { id, step: 1, plan: { venue: "uniswapV3" } })
    }))

  it.effect("is withdrawn once and while it is not planned, is never planned then, and stays open until it is ended", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const withdrawn = (id: string) =>
        Effect.map(Effect.flatMap(store.findInProgress(id), Effect.fromOption), (found) => found.withdrawn)
      const { id } = yield* accepted
      assert.isNull(yield* withdrawn(id))
      yield* store.withdraw(id, failed)
      yield* store.withdraw(id, Failed.make({ ...failed, txHash: hash }))
      assert.deepStrictEqual(yield* withdrawn(id), failed)
      const planning = yield* Effect.flip(store.recordPlan(id, { step: 1, plan: {} }))
      assert.strictEqual(planning._tag, "IntentAlreadyEnded")
      assert.strictEqual((yield* found(id)).status, "accepted")
      assert.isTrue(yield* store.finish(id, failed, Option.none(), { step: 0 }))
      assert.strictEqual((yield* found(id)).status, "failed")
      const planned = yield* accepted
      yield* store.recordPlan(planned.id, { step: 1, plan: {} })
      yield* store.withdraw(planned.id, failed)
      assert.isNull(yield* withdrawn(planned.id))
    }))

  it.effect("lists a queue's unfinished intents: fee minting belongs to its wallet's queue, everything else to the vault's", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const intent = yield* fresh
      const [done, first, second] = yield* Effect.forEach(
        [1, 2, 3],
        () => Effect.map(store.accept(intent), ({ id }) => id)
      )
      const stranger = {
        ...(yield* fresh),
        pool: intent.pool,
        request: MintManagerFeeRequest.make({}),
        endpoint: "mintManagerFee"
      }
      const [mint, otherMint] = yield* Effect.forEach([1, 2], () => Effect.map(store.accept(stranger), ({ id }) => id))
      yield* store.finish(done!, failed, Option.none())
      const vault = { of: "vault", network: "base", address: intent.pool } as const
      const wallet = { of: "wallet", network: "base", address: stranger.wallet } as const
      assert.deepStrictEqual(yield* store.unfinished(vault), [first!, second!].sort())
      assert.deepStrictEqual(yield* store.unfinished(wallet), [mint!, otherMint!].sort())
      assert.deepStrictEqual(yield* store.unfinished({ ...vault, network: "polygon" }), [])
      assert.deepStrictEqual(yield* store.unfinished({ ...wallet, address: intent.wallet }), [])
      assert.deepStrictEqual(Option.map(yield* store.placeOf(mint!), queueOf), Option.some(wallet))
      assert.deepStrictEqual(Option.map(yield* store.placeOf(first!), queueOf), Option.some(vault))
      const alone = (seconds: number) =>
        Effect.map(store.findStale(seconds), (found) => found.filter(({ pool }) => pool === intent.pool))
      assert.deepStrictEqual(yield* alone(60), [])
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update intents set updated_at = now() - interval '2 minutes' where pool = ${intent.pool}`
      )
      assert.sameDeepMembers((yield* alone(60)).map((found) => ({ queue: queueOf(found), id: found.id })), [
        { queue: vault, id: [first!, second!].sort()[0]! },
        { queue: wallet, id: [mint!, otherMint!].sort()[0]! }
      ])
    }))

  it.effect("cannot store an outcome without its status, a status without its outcome, or a request of an unknown wallet or key", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { id, intent } = yield* accepted
      const refused = (statement: Effect.Effect<unknown, unknown>) =>
        Effect.map(Effect.result(statement), Result.isFailure)
      const insert = (fields: Readonly<Record<string, string>>) =>
        Effect.flatMap(
          Uuid.v7,
          (id) =>
            sql`insert into intents ${
              sql.insert({
                id,
                wallet: intent.wallet,
                key_id: intent.keyId,
                endpoint: "e",
                network: "base",
                pool: intent.pool,
                request: "{}",
                ...fields
              })
            }`
        )
      const unknownWallet: Address = yield* freshAddress
      assert.deepStrictEqual(
        yield* Effect.forEach([
          sql`update intents set status = 'succeeded' where id = ${id}`,
          sql`update intents set outcome = '{}' where id = ${id}`,
          sql`update intents set status = 'lost' where id = ${id}`,
          sql`update intents set tx_hash = '0x12' where id = ${id}`,
          insert({ wallet: unknownWallet }),
          insert({ key_id: yield* Uuid.v7 }),
          insert({ pool: intent.pool.toUpperCase() }),
          insert({ id }),
          sql`insert into charges ${
            sql.insert({ intent_id: id, wallet: intent.wallet, network: "base", action: "trade", usd: -1 })
          }`,
          sql`insert into charges ${
            sql.insert({ intent_id: yield* Uuid.v7, wallet: intent.wallet, network: "base", action: "trade", usd: 1 })
          }`
        ], refused),
        Array.from({ length: 10 }, () => true)
      )
      assert.isFalse(yield* refused(insert({})))
    }))
})
