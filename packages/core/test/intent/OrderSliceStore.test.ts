import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { KillSwitch } from "../../src/gas-wallet/KillSwitch.ts"
import { botScope } from "../../src/gas-wallet/SwitchScope.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { type NewSlice, OrderSliceStore } from "../../src/intent/OrderSliceStore.ts"
import { Token } from "../../src/chain/Token.ts"
import * as Uuid from "../../src/storage/Uuid.ts"
import { noProgress, OrderSliceRequest, OrderTerms, type VaultOrder } from "../../src/vault-order/VaultOrder.ts"
import { VaultOrderStore } from "../../src/vault-order/VaultOrderStore.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"

const Stores = OrderSliceStore.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(VaultOrderStore.layer, IntentStore.layer, KillSwitch.layer)),
  Layer.provideMerge(Layer.mergeAll(GasWalletStore.layer, ApiKeyStore.layer)),
  Layer.provideMerge(Database)
)

const base = Token.make({ address: `0x${"1".repeat(40)}`, symbol: "WETH", decimals: 18 })
const quote = Token.make({ address: `0x${"2".repeat(40)}`, symbol: "USDC", decimals: 6 })
const ether = 10n ** 18n

const terms = OrderTerms.make({
  ...{ type: "stop_loss", side: "sell", pair: "WETH-USDC", base, quote, amount: ether, share: null, limit18: null },
  ...{ stop18: 2500n * ether, profit18: null, trailPercent: null, trail18: null, activation18: null, slices: null },
  ...{ intervalSeconds: null, catchUp: false, maxImpact: null, slippage: 0.5, platform: "auto", reduceOnly: false },
  confirmations: 2
})

/** Places an order of a fresh wallet and vault. */
const placed = Effect.gen(function*() {
  const orders = yield* OrderSliceStore
  const { address, keyId } = yield* wallet
  const now = Date.now()
  const found = yield* orders.place({
    ...{ id: yield* Uuid.v7, network: "base", pool: yield* freshAddress, wallet: address, keyId, terms, paper: false },
    ...{ idempotencyKey: "one", request: "{}", total: ether, startsAt: now, expiresAt: now + 60_000 }
  })
  if (found._tag !== "placed") return yield* Effect.die(new Error(found._tag))
  return found.order
})

const current = (order: VaultOrder) =>
  Effect.flatMap(VaultOrderStore, (store) => Effect.map(store.find(order.id), Option.getOrThrow))

const sliceOf = (order: VaultOrder): NewSlice => ({
  request: OrderSliceRequest.make({
    ...{ orderId: order.id, slice: order.slice, from: base.address, to: quote.address, amount: ether, floor: 0n },
    ...{ slippage: 0.5, platform: "auto", paper: false }
  }),
  total: ether,
  slot: -1,
  reason: "now"
})

const begun = (order: VaultOrder) => Effect.flatMap(OrderSliceStore, (orders) => orders.begin(order, sliceOf(order)))
const sold = { state: "succeeded", sold: ether, bought: 1n, txHash: null, message: "Sold.", counts: true } as const

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the slices of an order", (it) => {
  it.effect("begin once with one intent, however many runners try", () =>
    Effect.gen(function*() {
      const order = yield* placed
      const found = yield* Effect.all(Array.from({ length: 5 }, () => begun(order)), { concurrency: "unbounded" })
      assert.strictEqual(found.filter(Option.isSome).length, 1)
      const sql = yield* SqlClient.SqlClient
      const intents = yield* sql`select idempotency_key as key from intents where pool = ${order.pool}`
      assert.deepStrictEqual(intents, [{ key: `order/${order.id}/0` }])
    }))

  it.effect("end once, and their order with the last of them", () =>
    Effect.gen(function*() {
      const orders = yield* OrderSliceStore
      const order = yield* placed
      const intentId = Option.getOrThrow(yield* begun(order))
      yield* Effect.replicateEffect(orders.endSlice(order.id, intentId, sold), 3)
      assert.deepInclude(yield* current(order), { state: "done", sold: ether, bought: 1n, slice: 1, openIntent: null })
    }))

  it.effect("are withdrawn by a cancellation until they are planned, and counted after it once they are", () =>
    Effect.gen(function*() {
      const orders = yield* OrderSliceStore
      const intents = yield* IntentStore
      const first = yield* placed
      const withdrawn = Option.getOrThrow(yield* begun(first))
      assert.deepStrictEqual((yield* orders.cancel([first.id])).map(({ state }) => state), ["cancelling"])
      const planning = yield* Effect.flip(intents.recordPlan(withdrawn, { step: 1, plan: {} }))
      assert.strictEqual(planning._tag, "IntentAlreadyEnded")
      const { withdrawn: outcome } = Option.getOrThrow(yield* intents.findInProgress(withdrawn))
      yield* intents.finish(withdrawn, outcome!, Option.none(), { step: 0 })
      assert.deepStrictEqual((yield* orders.cancel([first.id])).map(({ state }) => state), ["cancelled"])
      assert.deepStrictEqual(yield* begun(yield* current(first)), Option.none())

      const second = yield* placed
      const planned = Option.getOrThrow(yield* begun(second))
      yield* intents.recordPlan(planned, { step: 1, plan: {} })
      assert.deepStrictEqual((yield* orders.cancel([second.id])).map(({ state }) => state), ["cancelling"])
      assert.deepStrictEqual((yield* orders.cancel([second.id])).map(({ state }) => state), ["cancelling"])
      yield* orders.endSlice(second.id, planned, { ...sold, sold: ether / 2n })
      assert.deepInclude(yield* current(second), { state: "cancelled", sold: ether / 2n })
    }))

  it.effect("do not begin once their order is cancelled at the same moment, or stopped", () =>
    Effect.gen(function*() {
      const orders = yield* OrderSliceStore
      const switches = yield* KillSwitch
      for (let left = 10; left > 0; left--) {
        const order = yield* placed
        const [started, [cancelled]] = yield* Effect.all([begun(order), orders.cancel([order.id])], {
          concurrency: "unbounded"
        })
        assert.strictEqual(cancelled?.state, Option.isSome(started) ? "cancelling" : "cancelled")
        const sql = yield* SqlClient.SqlClient
        const open = yield* sql`select 1 from intents where pool = ${order.pool} and withdrawn is null`
        assert.strictEqual(open.length, 0, `a slice ${Option.isSome(started) ? "that began" : ""} is open`)
      }
      const stopped = yield* placed
      yield* switches.pause(botScope("base", stopped.pool), "test")
      assert.deepStrictEqual(yield* begun(stopped), Option.none())
    }))
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("a trigger", (it) => {
  it.effect("is committed once, and undone by nothing that was observed before it", () =>
    Effect.gen(function*() {
      const store = yield* VaultOrderStore
      const orders = yield* OrderSliceStore
      const order = yield* placed
      const trigger = { condition: "stop", price18: 2000n * ether, at: 1 } as const
      const progress = { ...noProgress, trigger }
      assert.isTrue(yield* store.recordTrigger(order, progress, "reached"))
      assert.isFalse(yield* store.recordTrigger(order, progress, "reached"))
      yield* store.recordNotes([{ order, progress: noProgress, reason: "not reached", until: null }])
      assert.deepInclude(yield* current(order), { state: "triggered", reason: "reached" })
      assert.deepStrictEqual((yield* current(order)).progress.trigger, trigger)
      const amended = yield* orders.amend(yield* current(order), {
        terms: { ...terms, slippage: 1 },
        total: ether,
        expiresAt: null
      })
      assert.strictEqual(amended._tag, "amended")
      assert.deepStrictEqual((yield* current(order)).progress.trigger, trigger)
    }))
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("an order's idempotency key", (it) => {
  it.effect("names one order of its wallet", () =>
    Effect.gen(function*() {
      const orders = yield* OrderSliceStore
      const order = yield* placed
      const again = (request: string) =>
        Effect.gen(function*() {
          const { keyId, network, pool, wallet: by } = order
          return yield* orders.place({
            ...{ id: yield* Uuid.v7, network, pool, wallet: by, keyId, terms, paper: false, idempotencyKey: "one" },
            ...{ request, total: ether, startsAt: Date.now(), expiresAt: Date.now() + 60_000 }
          })
        })
      const known = yield* again("{}")
      assert.strictEqual(known._tag === "known" ? known.order.id : known._tag, order.id)
      assert.deepStrictEqual(yield* again(`{"amount":"2"}`), { _tag: "conflict", id: order.id })
    }))
})
