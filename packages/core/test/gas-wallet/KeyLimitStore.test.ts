import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address } from "../../src/chain/Address.ts"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { KeyLimits, none, tightest, vaultId } from "../../src/gas-wallet/KeyLimits.ts"
import { KeyLimitStore } from "../../src/gas-wallet/KeyLimitStore.ts"
import { Failed } from "../../src/intent/Intent.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import { Database, freshAddress, freshDigest, row, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(KeyLimitStore.layer, IntentStore.layer, ApiKeyStore.layer, GasWalletStore.layer).pipe(
  Layer.provideMerge(Database)
)

const usd = (dollars: number) => BigInt(dollars) * 10n ** 18n
const trade = TradeRequest.make({ from: "USDC", to: "WETH", share: 50, slippage: 0.5, platform: "auto" })
const failed = Failed.make({
  txHash: null,
  failure: new ExecutionFailure({ errorType: "no_route", message: "No venue has a route." })
})

/** Accepts an intent of a wallet on a fresh vault; `plan` commits its value, as planning does. */
const intentOf = (by: { readonly address: Address; readonly keyId: string }, idempotencyKey: string | null = null) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const store = yield* KeyLimitStore
    const pool = yield* freshAddress
    const vault = vaultId("base", pool)
    const { id } = yield* (yield* IntentStore).accept({
      wallet: by.address,
      keyId: by.keyId,
      endpoint: "vaultTrade",
      network: "base",
      pool,
      request: trade,
      idempotencyKey
    })
    return {
      id,
      vault,
      plan: (dollars: number) =>
        Effect.result(
          sql.withTransaction(store.reserve({ intentId: id, wallet: by.address, vaults: [vault], usd18: usd(dollars) }))
        )
    }
  })

const limited = (changes: Partial<KeyLimits>) =>
  Effect.gen(function*() {
    const by = yield* wallet
    yield* (yield* KeyLimitStore).change(by.address, (now) => KeyLimits.make({ ...now, ...changes }))
    return by
  })

const refusedAs = (result: Result.Result<void, unknown>, saying: RegExp) => {
  const failure = Result.getOrThrowWith(Result.flip(result), () => new Error("was not refused"))
  assert.instanceOf(failure, ExecutionFailure)
  assert.strictEqual(failure.errorType, "limit_exceeded")
  assert.match(failure.message, saying)
}

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("KeyLimitStore", (it) => {
  it.effect("returns no limits for a wallet until some are set, and then exactly those", () =>
    Effect.gen(function*() {
      const store = yield* KeyLimitStore
      const { address } = yield* wallet
      assert.deepStrictEqual(yield* store.find(address), { limits: none, revision: 0 })
      const wanted = KeyLimits.make({
        vaults: [vaultId("base", yield* freshAddress)],
        maxUsd18PerTrade: 1n,
        maxUsd18PerDay: 10n ** 40n,
        readOnly: true
      })
      assert.deepStrictEqual(yield* store.change(address, () => wanted), Option.some(wanted))
      assert.deepStrictEqual(yield* store.find(address), { limits: wanted, revision: 1 })
      yield* store.change(address, () => KeyLimits.make({ ...wanted, vaults: [] }))
      assert.deepStrictEqual((yield* store.find(address)).limits.vaults, [])
      yield* store.change(address, () => none)
      // Off again, but distinct from never set: a signature checked against revision 0 is not valid.
      assert.deepStrictEqual(yield* store.find(address), { limits: none, revision: 3 })
      assert.deepStrictEqual(yield* store.change(yield* freshAddress, () => wanted), Option.none())
    }))

  it.effect("loses no change among concurrent ones that lower limits", () =>
    Effect.gen(function*() {
      const store = yield* KeyLimitStore
      const { address } = yield* wallet
      const amounts = Array.from({ length: 20 }, (_, index) => 1000n - BigInt(index))
      yield* Effect.forEach(amounts, (amount, index) =>
        store.change(address, (now) =>
          tightest(
            now,
            KeyLimits.make({
              ...none,
              ...(index % 2 === 0 ? { maxUsd18PerDay: amount } : { maxUsd18PerTrade: amount })
            })
          )), { concurrency: "unbounded" })
      const { limits, revision } = yield* store.find(address)
      assert.deepStrictEqual([limits.maxUsd18PerDay, limits.maxUsd18PerTrade, revision], [982n, 981n, 20])
    }))

  it.effect("keeps a wallet's limits when its key is rotated, and finds the wallet by either key", () =>
    Effect.gen(function*() {
      const store = yield* KeyLimitStore
      const by = yield* limited({ maxUsd18PerTrade: usd(5) })
      const { keyId } = yield* (yield* ApiKeyStore).issue({
        wallet: by.address,
        digest: yield* freshDigest,
        lastFour: "wxyz"
      })
      assert.strictEqual((yield* store.find(by.address)).limits.maxUsd18PerTrade, usd(5))
      for (const id of [by.keyId, keyId, by.address, by.address.toUpperCase().replace("0X", "0x")]) {
        assert.deepStrictEqual(yield* store.walletOf(id), Option.some(by.address))
      }
      for (const id of ["", "key", yield* freshAddress, "01936f5a-0000-7000-8000-000000000000"]) {
        assert.deepStrictEqual(yield* store.walletOf(id), Option.none())
      }
    }))

  it.effect("refuses a write of a read-only key or on another vault before it is accepted, but never the repeat of an accepted one", () =>
    Effect.gen(function*() {
      const store = yield* KeyLimitStore
      const by = yield* wallet
      const other = vaultId("base", yield* freshAddress)
      const { vault } = yield* intentOf(by, "signal-1")
      const write = { wallet: by.address, vault, idempotencyKey: null }
      assert.deepStrictEqual(yield* store.refusalOfWrite(write), Option.none())
      yield* store.change(by.address, (now) => KeyLimits.make({ ...now, vaults: [other] }))
      assert.isTrue(Option.isSome(yield* store.refusalOfWrite(write)))
      assert.isTrue(Option.isSome(yield* store.refusalOfWrite({ ...write, idempotencyKey: "signal-2" })))
      assert.deepStrictEqual(yield* store.refusalOfWrite({ ...write, idempotencyKey: "signal-1" }), Option.none())
      yield* store.change(by.address, (now) => KeyLimits.make({ ...now, vaults: [vault] }))
      assert.deepStrictEqual(yield* store.refusalOfWrite(write), Option.none())
      yield* store.change(by.address, (now) => KeyLimits.make({ ...now, readOnly: true }))
      assert.isTrue(Option.isSome(yield* store.refusalOfWrite(write)))
      assert.isTrue(Option.isSome(yield* store.refusalOfWrite({ ...write, vault: null })))
      assert.deepStrictEqual(yield* store.refusalOfWrite({ ...write, idempotencyKey: "signal-1" }), Option.none())
    }))

  it.effect("never exceeds the day's limit, however many intents are planned at the same moment", () =>
    Effect.gen(function*() {
      const by = yield* limited({ maxUsd18PerDay: usd(1000) })
      const intents = yield* Effect.forEach(Array.from({ length: 12 }), () => intentOf(by))
      const results = yield* Effect.forEach(intents, ({ plan }) => plan(300), { concurrency: "unbounded" })
      assert.strictEqual(results.filter(Result.isSuccess).length, 3)
      for (const result of results.filter(Result.isFailure)) {
        refusedAs(
          result,
          /1000 USD a day \(UTC\), of which \d+ USD are left today, and the request is worth 300 USD\. Nothing was sent/
        )
      }
      assert.strictEqual(yield* (yield* KeyLimitStore).usedToday(by.address), usd(900))
    }))

  it.effect("counts what was planned before the first limit was set", () =>
    Effect.gen(function*() {
      const by = yield* wallet
      assert.isTrue(Result.isSuccess(yield* (yield* intentOf(by)).plan(800)))
      yield* (yield* KeyLimitStore).change(by.address, (now) => KeyLimits.make({ ...now, maxUsd18PerDay: usd(1000) }))
      refusedAs(yield* (yield* intentOf(by)).plan(201), /200 USD are left today/)
      assert.isTrue(Result.isSuccess(yield* (yield* intentOf(by)).plan(200)))
    }))

  it.effect("counts an intent once however often it is planned, with the amount of its last plan", () =>
    Effect.gen(function*() {
      const store = yield* KeyLimitStore
      const by = yield* limited({ maxUsd18PerDay: usd(1000) })
      const intent = yield* intentOf(by)
      for (const dollars of [600, 600, 900]) assert.isTrue(Result.isSuccess(yield* intent.plan(dollars)))
      assert.strictEqual(yield* store.usedToday(by.address), usd(900))
      refusedAs(yield* intent.plan(1001), /worth 1001 USD/)
      // A refused plan leaves the earlier amount.
      assert.strictEqual(yield* store.usedToday(by.address), usd(900))
      assert.isTrue(Result.isSuccess(yield* intent.plan(100)))
      assert.strictEqual(yield* store.usedToday(by.address), usd(100))
    }))

  it.effect("releases the amount of a failed intent, and counts it again when a reorg reverts the failure", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* KeyLimitStore
      const by = yield* limited({ maxUsd18PerDay: usd(1000) })
      const intent = yield* intentOf(by)
      yield* intent.plan(1000)
      refusedAs(yield* (yield* intentOf(by)).plan(1), /of which 0 USD are left/)
      yield* (yield* IntentStore).finish(intent.id, failed, Option.none())
      assert.strictEqual(yield* store.usedToday(by.address), 0n)
      assert.isTrue(Result.isSuccess(yield* (yield* intentOf(by)).plan(400)))
      yield* sql`update intents set status = 'submitted', outcome = null where id = ${intent.id}::uuid`
      assert.strictEqual(yield* store.usedToday(by.address), usd(1400))
    }))

  it.effect("starts from zero every day (UTC), and counts a plan for the day it was made", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const by = yield* limited({ maxUsd18PerDay: usd(1000) })
      const intent = yield* intentOf(by)
      yield* intent.plan(1000)
      assert.deepStrictEqual(
        yield* row(
          `select day = (now() at time zone 'utc')::date as today from key_spending where intent_id = '${intent.id}'`
        ),
        { today: true }
      )
      yield* sql`update key_spending set day = day - 1 where intent_id = ${intent.id}::uuid`
      assert.isTrue(Result.isSuccess(yield* (yield* intentOf(by)).plan(1000)))
      // Planned again today, it counts today.
      refusedAs(yield* intent.plan(1000), /of which 0 USD are left/)
    }))

  it.effect("answers a dry run as it would the write, and reserves nothing for it", () =>
    Effect.gen(function*() {
      const store = yield* KeyLimitStore
      const by = yield* limited({ maxUsd18PerTrade: usd(10), maxUsd18PerDay: usd(15) })
      const vault = vaultId("base", yield* freshAddress)
      const isRefused = (dollars: number) =>
        Effect.map(store.refusal({ wallet: by.address, vaults: [vault], usd18: usd(dollars) }), Option.isSome)
      assert.deepStrictEqual([yield* isRefused(10), yield* isRefused(10), yield* isRefused(11)], [false, false, true])
      yield* (yield* intentOf(by)).plan(10)
      assert.deepStrictEqual([yield* isRefused(5), yield* isRefused(6)], [false, true])
      assert.strictEqual(yield* store.usedToday(by.address), usd(10))
    }))

  it.effect("returns to a signer the accepted request, its planned value, and the sum of the others of that day", () =>
    Effect.gen(function*() {
      const store = yield* KeyLimitStore
      const by = yield* wallet
      const [one, other, unplanned, gone] = yield* Effect.all([intentOf(by), intentOf(by), intentOf(by), intentOf(by)])
      yield* one.plan(3)
      yield* other.plan(4)
      yield* gone.plan(100)
      yield* (yield* IntentStore).finish(gone.id, failed, Option.none())
      const planned = yield* store.findPlanned(by.address, [one.id, other.id, unplanned.id])
      const of = (id: string) =>
        Option.fromNullishOr(planned.find(({ intentId }) => intentId === id)).pipe(
          Option.map(({ network, others, pool, request, usd18 }) => ({
            others,
            request,
            usd18,
            vault: vaultId(network, pool)
          })),
          Option.getOrNull
        )
      assert.deepStrictEqual(of(one.id), { others: usd(4), request: "Trade", usd18: usd(3), vault: one.vault })
      assert.deepStrictEqual(of(other.id), { others: usd(3), request: "Trade", usd18: usd(4), vault: other.vault })
      assert.deepStrictEqual(of(unplanned.id), { others: 0n, request: "Trade", usd18: null, vault: unplanned.vault })
      assert.deepStrictEqual(yield* store.findPlanned((yield* wallet).address, [one.id]), [])
    }))
})
