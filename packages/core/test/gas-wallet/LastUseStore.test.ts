import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { LastUseStore } from "../../src/gas-wallet/LastUseStore.ts"
import { Database, freshDigest, row, wallet } from "../storage/Database.ts"

const Stores = Layer.provideMerge(
  Layer.mergeAll(ApiKeyStore.layer, GasWalletStore.layer, LastUseStore.layer),
  Database
)

const usedAt = (keyId: string) =>
  Effect.map(row(`select used_at as at from api_keys where id = '${keyId}'`), (found) => found?.["at"])

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("LastUseStore", (it) => {
  it.effect("stores the last use of keys, and nothing for ids that do not exist", () =>
    Effect.gen(function*() {
      const store = yield* LastUseStore
      const [one, other] = [yield* wallet, yield* wallet]
      const at = Date.parse("2026-11-20T10:00:00Z")
      yield* store.put([
        { _tag: "key", id: one.keyId, at },
        { _tag: "session", id: yield* freshDigest, at },
        { _tag: "manager", id: one.address, wallet: other.address, at }
      ])
      assert.deepStrictEqual(yield* usedAt(one.keyId), new Date(at))
      assert.isNull(yield* usedAt(other.keyId))
    }))

  it.effect("does not wait for a rotation that holds the key's row, and a rotation does not fail because of it", () =>
    Effect.gen(function*() {
      const store = yield* LastUseStore
      const sql = yield* SqlClient.SqlClient
      const { address, keyId } = yield* wallet
      const [isLocked, isStored] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const rotation = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* sql`update api_keys set revoked_at = now() where id = ${keyId}::uuid`
        yield* Deferred.succeed(isLocked, undefined)
        yield* Deferred.await(isStored)
      })))
      yield* Deferred.await(isLocked)
      yield* store.put([{ _tag: "key", id: keyId, at: Date.now() }])
      yield* Deferred.succeed(isStored, undefined)
      yield* Fiber.join(rotation)
      assert.isNull(yield* usedAt(keyId))
      assert.isFalse(
        (yield* (yield* ApiKeyStore).issue({ wallet: address, digest: yield* freshDigest, lastFour: "abcd" })).revoked
      )
    }))
})
