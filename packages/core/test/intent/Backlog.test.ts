import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import type { NewIntent } from "../../src/intent/IntentInsert.ts"
import { Backlog, BacklogFull } from "../../src/intent/Backlog.ts"
import { Failed } from "../../src/intent/Intent.ts"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { MintManagerFeeRequest } from "../../src/fees/Fees.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(IntentStore.layer, ApiKeyStore.layer, GasWalletStore.layer).pipe(
  Layer.provideMerge(Database)
)

const request = TradeRequest.make({ from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" })
const failed = Failed.make({
  txHash: null,
  failure: new ExecutionFailure({ errorType: "no_route", message: "No venue has a route." })
})

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

/** Accepts through a separate backlog with these limits. */
const gated = (limits: { readonly ofVault?: number; readonly ofWallet?: number; readonly ofService?: number }) =>
  Effect.gen(function*() {
    const store = yield* IntentStore
    const backlog = yield* Effect.provide(
      Backlog,
      yield* Layer.build(Layer.fresh(Backlog.layer({ ofVault: 1000, ofWallet: 1000, ofService: 1000, ...limits })))
    )
    return { backlog, accept: (intent: NewIntent) => Effect.result(backlog.within(intent, store.accept(intent))) }
  })
const fullOf = (results: ReadonlyArray<Result.Result<unknown, unknown>>) =>
  results.flatMap((result) =>
    Result.isFailure(result) && result.failure instanceof BacklogFull ? [result.failure.of] : []
  )
const rowsOf = (intent: NewIntent) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => Effect.map(sql`select id from intents where wallet = ${intent.wallet}`, (rows) => rows.length)
  )

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("Backlog", (it) => {
  it.effect("never exceeds a wallet's limit at a vault under concurrency, and commits nothing for the refused requests", () =>
    Effect.gen(function*() {
      const { accept } = yield* gated({ ofVault: 7 })
      const intent = yield* fresh
      const results = yield* Effect.forEach(Array.from({ length: 40 }), () => accept(intent), {
        concurrency: "unbounded"
      })
      const turnedAway = fullOf(results)
      assert.isTrue(turnedAway.length >= 33 && turnedAway.every((of) => of === "ofVault"), JSON.stringify(turnedAway))
      assert.strictEqual(yield* rowsOf(intent), 40 - turnedAway.length)
      // Requests refused because of concurrent ones succeed later: one after the other, the limit is reached exactly.
      assert.strictEqual(
        fullOf(yield* Effect.forEach(Array.from({ length: 10 }), () => accept(intent))).length,
        3 + 40 - turnedAway.length
      )
      assert.strictEqual(yield* rowsOf(intent), 7)
    }))

  it.effect("has room again when an intent has ended", () =>
    Effect.gen(function*() {
      const store = yield* IntentStore
      const { accept } = yield* gated({ ofVault: 2 })
      const intent = yield* fresh
      const [first] = yield* Effect.forEach([1, 2], () => accept(intent))
      assert.strictEqual(fullOf([yield* accept(intent)]).length, 1)
      yield* store.finish(Result.getOrThrow(first!).id, failed, Option.none())
      assert.strictEqual(fullOf([yield* accept(intent)]).length, 0)
      assert.strictEqual(fullOf([yield* accept(intent)]).length, 1)
    }))

  it.effect("counts a wallet's intents over all its vaults and networks, and no other wallet's", () =>
    Effect.gen(function*() {
      const { accept } = yield* gated({ ofWallet: 3 })
      const intent = yield* fresh
      const places = [intent, { ...intent, network: "polygon" as const }, { ...intent, pool: yield* freshAddress }, {
        ...intent,
        pool: yield* freshAddress
      }]
      assert.deepStrictEqual(fullOf(yield* Effect.forEach(places, accept)), ["ofWallet"])
      assert.deepStrictEqual(fullOf([yield* accept(yield* fresh)]), [])
    }))

  it.effect("counts each wallet at a vault separately: neither another wallet's requests nor fee minting use up its limit", () =>
    Effect.gen(function*() {
      const { accept } = yield* gated({ ofVault: 2, ofWallet: 4 })
      const owner = yield* fresh
      const stranger = { ...(yield* fresh), pool: owner.pool }
      const mint = { ...stranger, endpoint: "mintManagerFee", request: MintManagerFeeRequest.make({}) }
      assert.deepStrictEqual(fullOf(yield* Effect.forEach([stranger, stranger, stranger], accept)), ["ofVault"])
      // Minting counts against its wallet only.
      assert.deepStrictEqual(fullOf(yield* Effect.forEach([mint, mint, mint], accept)), ["ofWallet"])
      const ownMint = { ...owner, endpoint: "mintManagerFee", request: MintManagerFeeRequest.make({}) }
      assert.deepStrictEqual(fullOf(yield* Effect.forEach([ownMint, ownMint, owner, owner, owner], accept)), [
        "ofVault"
      ])
    }))

  it.effect("counts the whole service", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<
        { readonly open: number }
      >`select count(*)::int as open from intents where status in ('accepted', 'submitted')`
      const { accept } = yield* gated({ ofService: row!.open + 2 })
      const intents = yield* Effect.replicateEffect(fresh, 3)
      assert.deepStrictEqual(fullOf(yield* Effect.forEach(intents, accept)), ["ofService"])
    }))

  it.effect("counts requests that are being committed, and stops counting them when they are interrupted", () =>
    Effect.gen(function*() {
      const { accept, backlog } = yield* gated({ ofVault: 1 })
      const intent = yield* fresh
      const started = yield* Deferred.make<void>()
      const slow = yield* Effect.forkChild(
        backlog.within(intent, Effect.andThen(Deferred.succeed(started, undefined), Effect.never))
      )
      yield* Deferred.await(started)
      assert.strictEqual(fullOf([yield* accept(intent)]).length, 1)
      yield* Fiber.interrupt(slow)
      assert.strictEqual(fullOf([yield* accept(intent)]).length, 0)
    }))
})
