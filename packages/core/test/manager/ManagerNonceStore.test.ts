import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagerNonceStore } from "../../src/manager/ManagerNonceStore.ts"
import { RetentionStore } from "../../src/storage/RetentionStore.ts"
import { Database, freshAddress, row } from "../storage/Database.ts"

const Stores = Layer.provideMerge(Layer.mergeAll(ManagerNonceStore.layer, RetentionStore.layer), Database)
const nowSeconds = Effect.sync(() => Math.floor(Date.now() / 1000))

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("ManagerNonceStore", (it) => {
  it.effect("accepts a nonce once, under twenty concurrent attempts", () =>
    Effect.gen(function*() {
      const store = yield* ManagerNonceStore
      const manager = yield* freshAddress
      const expiresAt = (yield* nowSeconds) + 600
      const tried = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        store.use({ manager, nonce: "0123456789", expiresAt }), { concurrency: "unbounded" })
      assert.strictEqual(
        tried.filter((used) =>
          used
        ).length,
        1
      )
      assert.isTrue(yield* store.use({ manager, nonce: "another-one", expiresAt }))
      assert.isTrue(yield* store.use({ manager: yield* freshAddress, nonce: "0123456789", expiresAt }))
    }))

  it.effect("stores a used nonce while its signature is valid, and allows its removal afterwards", () =>
    Effect.gen(function*() {
      const store = yield* ManagerNonceStore
      const { managerNonces } = yield* RetentionStore
      const manager = yield* freshAddress
      const now = yield* nowSeconds
      yield* store.use({ manager, nonce: "young-nonce", expiresAt: now + 600 })
      yield* store.use({ manager, nonce: "old-nonce", expiresAt: now - 7200 })
      assert.isAtLeast(yield* managerNonces, 1)
      assert.deepStrictEqual(
        yield* row(`select string_agg(nonce, ',') as left from manager_nonces where manager = '${manager}'`),
        { left: "young-nonce" }
      )
    }))
})
