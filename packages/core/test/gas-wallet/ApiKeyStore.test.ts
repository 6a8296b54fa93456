import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import * as Uuid from "../../src/storage/Uuid.ts"
import { Database, freshAddress, freshDigest, row, wallet } from "../storage/Database.ts"

const Stores = Layer.provideMerge(Layer.mergeAll(ApiKeyStore.layer, GasWalletStore.layer), Database)

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("ApiKeyStore", (it) => {
  it.effect("finds the wallet of an active key, and none for any other digest", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const { address, digest, keyId } = yield* wallet
      assert.deepStrictEqual(yield* store.find(digest), Option.some({ keyId, wallet: address }))
      assert.deepStrictEqual(yield* store.find(yield* freshDigest), Option.none())
      assert.deepStrictEqual(yield* store.find(digest.toUpperCase()), Option.none())
    }))

  it.effect("revokes the previous key at once, and reports that", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const { address, digest } = yield* wallet
      const next = yield* freshDigest
      const issued = yield* store.issue({ wallet: address, digest: next, lastFour: "wxyz" })
      assert.isTrue(issued.revoked)
      assert.deepStrictEqual(yield* store.find(digest), Option.none())
      assert.deepStrictEqual(yield* store.find(next), Option.some({ keyId: issued.keyId, wallet: address }))
    }))

  it.effect("reports for a wallet's first key that none was revoked", () =>
    Effect.gen(function*() {
      const wallets = yield* GasWalletStore
      const address = yield* freshAddress
      yield* wallets.put({ address, ciphertext: "c" })
      const { revoked } = yield* (yield* ApiKeyStore).issue({
        wallet: address,
        digest: yield* freshDigest,
        lastFour: "abcd"
      })
      assert.isFalse(revoked)
    }))

  it.effect("leaves exactly one active key after twenty concurrent rotations, none of which fails", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const { address, digest } = yield* wallet
      const digests = yield* Effect.replicateEffect(freshDigest, 20)
      const issued = yield* Effect.forEach(
        digests,
        (each) => store.issue({ wallet: address, digest: each, lastFour: "abcd" }),
        {
          concurrency: "unbounded"
        }
      )
      assert.isTrue(issued.every(({ revoked }) => revoked))
      const found = yield* Effect.forEach(digests, store.find)
      const active = Option.reduceCompact(found, [] as ReadonlyArray<string>, (ids, { keyId }) => [...ids, keyId])
      assert.strictEqual(active.length, 1)
      assert.include(issued.map(({ keyId }) => keyId), active[0])
      assert.deepStrictEqual(yield* store.find(digest), Option.none())
      assert.deepStrictEqual(
        yield* row(
          `select count(*)::int as all, count(*) filter (where revoked_at is null)::int as active from api_keys where wallet = '${address}'`
        ),
        {
          all: 21,
          active: 1
        }
      )
    }))

  it.effect("keeps the rotations of different wallets apart", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const one = yield* wallet
      const other = yield* wallet
      yield* store.issue({ wallet: one.address, digest: yield* freshDigest, lastFour: "abcd" })
      assert.deepStrictEqual(
        yield* store.find(other.digest),
        Option.some({ keyId: other.keyId, wallet: other.address })
      )
    }))

  it.effect("keeps the old key when the new one cannot be stored", () =>
    Effect.gen(function*() {
      const store = yield* ApiKeyStore
      const one = yield* wallet
      const other = yield* wallet
      const failed = yield* Effect.flip(store.issue({ wallet: one.address, digest: other.digest, lastFour: "abcd" }))
      assert.strictEqual(failed._tag, "SqlError")
      assert.deepStrictEqual(yield* store.find(one.digest), Option.some({ keyId: one.keyId, wallet: one.address }))
    }))

  it.effect("cannot store a second active key, a key without a wallet, or an invalid digest", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { address } = yield* wallet
      const insert = (fields: Readonly<Record<string, string>>) =>
        Effect.gen(function*() {
          const key = { id: yield* Uuid.v7, wallet: address, digest: yield* freshDigest, last_four: "abcd", ...fields }
          return yield* Effect.exit(sql`insert into api_keys ${sql.insert(key)}`)
        })
      const revoked = { revoked_at: new Date(0).toISOString() }
      assert.strictEqual((yield* insert({}))._tag, "Failure")
      assert.strictEqual((yield* insert(revoked))._tag, "Success")
      assert.strictEqual((yield* insert({ ...revoked, wallet: yield* freshAddress }))._tag, "Failure")
      assert.strictEqual((yield* insert({ ...revoked, digest: "A".repeat(64) }))._tag, "Failure")
      assert.strictEqual((yield* insert({ ...revoked, digest: "a".repeat(63) }))._tag, "Failure")
      assert.strictEqual((yield* insert({ ...revoked, last_four: "abcde" }))._tag, "Failure")
    }))
})
