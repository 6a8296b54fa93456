import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { Database, freshAddress } from "../storage/Database.ts"

layer(Layer.provideMerge(GasWalletStore.layer, Database), { timeout: "4 minutes", excludeTestServices: true })(
  "GasWalletStore",
  (it) => {
    it.effect("returns what was stored, and none for an unknown wallet", () =>
      Effect.gen(function*() {
        const store = yield* GasWalletStore
        const address = yield* freshAddress
        yield* store.put({ address, ciphertext: "sealed" })
        assert.deepStrictEqual(yield* store.ciphertext(address), Option.some("sealed"))
        assert.deepStrictEqual(yield* store.ciphertext(yield* freshAddress), Option.none())
      }))

    it.effect("leaves an existing wallet unchanged, also under concurrent writes", () =>
      Effect.gen(function*() {
        const store = yield* GasWalletStore
        const address = yield* freshAddress
        yield* store.put({ address, ciphertext: "first" })
        yield* Effect.all(Array.from({ length: 10 }, (_, i) => store.put({ address, ciphertext: `later ${i}` })), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(yield* store.ciphertext(address), Option.some("first"))
      }))

    it.effect("refuses addresses that are not 0x and 40 lower-case hex characters", () =>
      Effect.gen(function*() {
        const store = yield* GasWalletStore
        for (
          const address of [
            `0x${"A".repeat(40)}`,
            `0x${"a".repeat(39)}`,
            `0x${"a".repeat(41)}`,
            "a".repeat(40),
            `0x${"g".repeat(40)}`,
            "0x"
          ] as const
        ) {
          const failed = yield* Effect.flip(store.put({ address: address as `0x${string}`, ciphertext: "c" }))
          assert.strictEqual(failed._tag, "SqlError", address)
        }
      }))
  }
)
