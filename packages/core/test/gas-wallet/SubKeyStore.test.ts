import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { none, vaultId } from "../../src/gas-wallet/KeyLimits.ts"
import { KeyLimitStore } from "../../src/gas-wallet/KeyLimitStore.ts"
import { LastUseStore } from "../../src/gas-wallet/LastUseStore.ts"
import { Failed, Succeeded } from "../../src/intent/Intent.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { maxSubKeys } from "../../src/gas-wallet/SubKey.ts"
import { type NewSubKey, SubKeyStore } from "../../src/gas-wallet/SubKeyStore.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import { Database, freshAddress, freshDigest, row, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(
  KeyLimitStore.layer,
  IntentStore.layer,
  ApiKeyStore.layer,
  GasWalletStore.layer,
  LastUseStore.layer,
  SubKeyStore.layer
).pipe(Layer.provideMerge(Database))

const usd = (dollars: number) => BigInt(dollars) * 10n ** 18n
const trade = TradeRequest.make({ from: "USDC", to: "WETH", share: 50, slippage: 0.5, platform: "auto" })

type Owner = Effect.Success<typeof wallet>

/** Makes a sub-key of a wallet. */
const made = (by: Owner, bounds: Partial<NewSubKey> = {}) =>
  Effect.gen(function*() {
    const digest = yield* freshDigest
    const key = yield* (yield* SubKeyStore).create({
      wallet: by.address,
      parentId: by.keyId,
      digest,
      lastFour: "wxyz",
      label: "agent",
      days: 7,
      scopes: ["trade"],
      endpoints: null,
      vaults: null,
      maxUsd18PerTrade: null,
      maxUsd18PerDay: null,
      sources: null,
      ...bounds
    })
    if (typeof key === "string") return yield* Effect.die(new Error(key))
    return { ...key, digest }
  })

/** Accepts a trade of a wallet, by a sub-key or by its own key (null); `plan` commits its value as planning does. */
const intentOf = (by: Owner, subKeyId: string | null) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const store = yield* KeyLimitStore
    const pool = yield* freshAddress
    const vault = vaultId("base", pool)
    const about = { wallet: by.address, keyId: by.keyId, endpoint: "vaultTrade", network: "base", pool } as const
    const { id } = yield* (yield* IntentStore).accept({ ...about, subKeyId, request: trade, idempotencyKey: null })
    return {
      id,
      vault,
      plan: (dollars: number) =>
        Effect.result(
          sql.withTransaction(store.reserve({ intentId: id, wallet: by.address, vaults: [vault], usd18: usd(dollars) }))
        )
    }
  })

const isPlanned = (result: Result.Result<void, unknown>) => Result.isSuccess(result)
const refusedAs = (result: Result.Result<void, unknown>, saying: RegExp) => {
  const failure = Result.getOrThrowWith(Result.flip(result), () => new Error("was not refused"))
  assert.instanceOf(failure, ExecutionFailure)
  assert.strictEqual(failure.errorType, "limit_exceeded")
  assert.match(failure.message, saying)
}

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("SubKeyStore", (it) => {
  it.effect("finds a sub-key with its bounds, until it is revoked or expires", () =>
    Effect.gen(function*() {
      const store = yield* SubKeyStore
      const sql = yield* SqlClient.SqlClient
      const by = yield* wallet
      const bounds = { endpoints: ["vaultTrade"], sources: ["192.0.2.0/24"], maxUsd18PerDay: usd(5) }
      const [one, other, third] = yield* Effect.all([made(by, bounds), made(by), made(by)])
      const found = Option.getOrThrow(yield* store.find(one.digest))
      assert.deepInclude(found, { keyId: by.keyId, wallet: by.address })
      assert.deepInclude(found.bounds, { id: one.id, scopes: ["trade"], vaults: null, ...bounds })
      assert.deepStrictEqual((yield* store.ofWallet(by.address)).map(({ id }) => id), [one.id, other.id, third.id])

      assert.strictEqual(yield* store.revoke((yield* wallet).address, one.id), 0)
      assert.strictEqual(yield* store.revoke(by.address, one.id), 1)
      yield* sql`update sub_keys set expires_at = now() where id = ${other.id}::uuid`
      assert.deepStrictEqual((yield* store.ofWallet(by.address)).map(({ id }) => id), [third.id])
      for (const { digest } of [one, other]) assert.isTrue(Option.isNone(yield* store.find(digest)))
      assert.strictEqual(yield* store.revoke(by.address, null), 1)
      assert.isTrue(Option.isNone(yield* store.find(third.digest)))
      assert.deepStrictEqual(
        yield* row(`select string_agg(action, ' ' order by seq) as actions from audit_entries
          where wallet = '${by.address}' and action like 'key.sub%'`),
        {
          actions: Array.from({ length: 3 }, () => "key.sub_created").concat("key.sub_revoked", "key.sub_revoked").join(
            " "
          )
        }
      )
    }))

  it.effect("ends every sub-key with the key that made it, however it ends, and lets an ended key make none", () =>
    Effect.gen(function*() {
      const store = yield* SubKeyStore
      const by = yield* wallet
      const key = yield* made(by)
      yield* (yield* ApiKeyStore).issue({ wallet: by.address, digest: yield* freshDigest, lastFour: "0000" })
      assert.isTrue(Option.isNone(yield* store.find(key.digest)))
      assert.deepStrictEqual(yield* store.ofWallet(by.address), [])
      assert.match(String(yield* Effect.exit(made(by))), /ended/)
    }))

  it.effect("keeps no more than the maximum, and stores when one was used", () =>
    Effect.gen(function*() {
      const store = yield* SubKeyStore
      const by = yield* wallet
      const [first] = yield* Effect.forEach(Array.from({ length: maxSubKeys }), () => made(by))
      assert.match(String(yield* Effect.exit(made(by))), /full/)
      yield* (yield* LastUseStore).put([{ _tag: "subKey", id: first!.id, at: 1_790_000_000_000 }])
      assert.strictEqual((yield* store.ofWallet(by.address))[0]?.usedAt?.getTime(), 1_790_000_000_000)
    }))

  it.effect("refuses a trade above a sub-key's maximum, and leaves the wallet's own key alone", () =>
    Effect.gen(function*() {
      const limits = yield* KeyLimitStore
      const by = yield* wallet
      const key = yield* made(by, { maxUsd18PerTrade: usd(10), maxUsd18PerDay: usd(15) })
      refusedAs(yield* (yield* intentOf(by, key.id)).plan(11), /may sell 10 USD at a time/)
      assert.isTrue(isPlanned(yield* (yield* intentOf(by, null)).plan(1_000)))
      assert.isTrue(isPlanned(yield* (yield* intentOf(by, key.id)).plan(10)))
      refusedAs(yield* (yield* intentOf(by, key.id)).plan(6), /may sell 15 USD a day \(UTC\), of which 5 USD are left/)
      const dry = { wallet: by.address, vaults: [vaultId("base", yield* freshAddress)], usd18: usd(6) }
      assert.isTrue(Option.isNone(yield* limits.refusal(dry)))
      assert.isTrue(Option.isSome(yield* limits.refusal({ ...dry, subKeyId: key.id })))
      // The wallet itself has no limits.
      assert.deepStrictEqual(yield* limits.find(by.address), { limits: none, revision: 1 })
    }))

  it.effect("refuses what the wallet's limits refuse at that moment, and another vault than the sub-key's", () =>
    Effect.gen(function*() {
      const limits = yield* KeyLimitStore
      const by = yield* wallet
      const key = yield* made(by, { maxUsd18PerTrade: usd(500), maxUsd18PerDay: usd(500) })
      const other = yield* made(by, { vaults: [vaultId("base", yield* freshAddress)] })
      refusedAs(yield* (yield* intentOf(by, other.id)).plan(1), /may trade only base/)
      const waiting = yield* intentOf(by, key.id)
      yield* limits.change(by.address, (now) => ({ ...now, maxUsd18PerTrade: usd(20) }))
      refusedAs(yield* waiting.plan(21), /may sell 20 USD at a time/)
      assert.isTrue(isPlanned(yield* waiting.plan(20)))
    }))

  it.effect("lets only one of many concurrent trades that together exceed the maximum pass", () =>
    Effect.gen(function*() {
      const by = yield* wallet
      const key = yield* made(by, { maxUsd18PerTrade: usd(10), maxUsd18PerDay: usd(15) })
      const intents = yield* Effect.forEach(Array.from({ length: 12 }), () => intentOf(by, key.id))
      const planned = yield* Effect.forEach(intents, ({ plan }) => plan(10), { concurrency: "unbounded" })
      assert.strictEqual(planned.filter(isPlanned).length, 1)
    }))

  it.effect("gives the share of a trade back when the ledger says that it failed, and not while it is open", () =>
    Effect.gen(function*() {
      const intents = yield* IntentStore
      const by = yield* wallet
      const key = yield* made(by, { maxUsd18PerTrade: usd(10), maxUsd18PerDay: usd(10) })
      const [one, other] = yield* Effect.all([intentOf(by, key.id), intentOf(by, key.id)])
      assert.isTrue(isPlanned(yield* one.plan(10)))
      refusedAs(yield* other.plan(1), /of which 0 USD are left/)
      const failure = new ExecutionFailure({ errorType: "no_route", message: "No venue has a route." })
      yield* intents.finish(one.id, Failed.make({ txHash: null, failure }), Option.none())
      assert.isTrue(isPlanned(yield* other.plan(10)))
      const succeeded = Succeeded.make({ txHash: null, message: "Traded.", result: {} })
      yield* intents.finish(other.id, succeeded, Option.none())
      refusedAs(yield* (yield* intentOf(by, key.id)).plan(1), /of which 0 USD are left/)
    }))

  it.effect("shows the signer the sub-key of an accepted request, and the sales of its other requests", () =>
    Effect.gen(function*() {
      const limits = yield* KeyLimitStore
      const by = yield* wallet
      const bounds = { maxUsd18PerTrade: usd(10), maxUsd18PerDay: usd(15) }
      const key = yield* made(by, bounds)
      const [own, one, other] = yield* Effect.all([intentOf(by, null), intentOf(by, key.id), intentOf(by, key.id)])
      yield* own.plan(100)
      yield* one.plan(3)
      yield* other.plan(4)
      const planned = yield* limits.findPlanned(by.address, [own.id, one.id])
      const of = (id: string) => planned.find(({ intentId }) => intentId === id)
      assert.deepInclude(of(own.id), { others: usd(7), subKey: null })
      assert.deepInclude(of(one.id), {
        others: usd(104),
        subKey: { limits: { ...none, ...bounds }, others: usd(4) }
      })
    }))
})
