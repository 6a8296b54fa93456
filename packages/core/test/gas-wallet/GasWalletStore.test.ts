import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
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
        assert.deepStrictEqual(yield* store.key(address), Option.some({ provider: "local", reference: "sealed" }))
        assert.deepStrictEqual(yield* store.key(yield* freshAddress), Option.none())
      }))

    it.effect("leaves an existing wallet unchanged, also under concurrent writes", () =>
      Effect.gen(function*() {
        const store = yield* GasWalletStore
        const address = yield* freshAddress
        yield* store.put({ address, ciphertext: "first" })
        yield* Effect.all(Array.from({ length: 10 }, (_, i) => store.put({ address, ciphertext: `later ${i}` })), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(yield* store.key(address), Option.some({ provider: "local", reference: "first" }))
      }))

    it.effect("stores the name of a key elsewhere once, lists it, and shows no ciphertext in the list", () =>
      Effect.gen(function*() {
        const store = yield* GasWalletStore
        const [address, local] = [yield* freshAddress, yield* freshAddress]
        const key = { provider: "aws-kms", reference: "arn:aws:kms:eu-west-1:1:key/a" } as const
        assert.isTrue(yield* store.putRemote({ address, ...key }))
        assert.isFalse(yield* store.putRemote({ address, provider: "web3signer", reference: "0x04" }))
        yield* store.put({ address, ciphertext: "sealed" })
        assert.deepStrictEqual(yield* store.key(address), Option.some(key))
        yield* store.put({ address: local, ciphertext: "sealed" })
        assert.isFalse(yield* store.putRemote({ address: local, ...key }))
        const listed = (yield* store.list).filter((each) => each.address === address || each.address === local)
        assert.deepStrictEqual(
          listed.map(({ since: _, ...each }) => each),
          [
            { address, ...key, lastFour: null },
            { address: local, provider: "local", reference: "", lastFour: null }
          ]
        )
        const sql = yield* SqlClient.SqlClient
        const entries = yield* sql`select action, details from audit_entries where wallet = ${address}`
        assert.deepStrictEqual(entries, [{ action: "wallet.added", details: key }])
      }))

    it.effect("has no row with both a ciphertext and a name, with neither, or with a provider it does not know", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        for (
          const row of [
            { ciphertext: "c", provider: "aws-kms", key_reference: "a" },
            { ciphertext: "c", provider: "local", key_reference: "a" },
            { ciphertext: null, provider: "local" },
            { ciphertext: null, provider: "gcp-kms" },
            { ciphertext: null, provider: "paper", key_reference: "a" }
          ]
        ) {
          const address = yield* freshAddress
          const failed = yield* Effect.flip(sql`insert into gas_wallets ${sql.insert({ address, ...row })}`)
          assert.strictEqual(failed._tag, "SqlError")
        }
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
