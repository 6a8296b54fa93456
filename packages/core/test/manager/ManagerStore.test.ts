import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { isNew, ManagerStore } from "../../src/manager/ManagerStore.ts"
import { Database, freshAddress, freshDigest, untilBlocked, wallet } from "../storage/Database.ts"

const Stores = Layer.provideMerge(Layer.mergeAll(ApiKeyStore.layer, GasWalletStore.layer, ManagerStore.layer), Database)

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("ManagerStore", (it) => {
  it.effect("keeps the list of each network apart from the list of all networks", () =>
    Effect.gen(function*() {
      const store = yield* ManagerStore
      const manager = yield* freshAddress
      const [one, other] = [yield* wallet, yield* wallet]
      const add = (network: "base" | null, { address, keyId }: typeof one) =>
        store.associate({ manager, network, wallet: address, keyId, label: null, onlyNew: false })
      assert.strictEqual(yield* add("base", one), "added")
      assert.strictEqual(yield* add(null, other), "added")
      const lists = Effect.forEach(["base", "polygon", null] as const, (network) =>
        Effect.map(store.walletsOf({ manager, network }), (found) => found.map((each) => each.wallet)))
      assert.deepStrictEqual(yield* lists, [[one.address], [], [one.address, other.address]])
      assert.isFalse(yield* store.has({ manager, network: "polygon" }, one.address))
      assert.isFalse(yield* store.deassociate({ manager, network: "polygon" }, one.address))
      assert.isTrue(yield* store.deassociate({ manager, network: null }, one.address))
      assert.deepStrictEqual(yield* lists, [[], [], [other.address]])
    }))

  it.effect("considers a wallet new until it has a manager or was used", () =>
    Effect.gen(function*() {
      const store = yield* ManagerStore
      const sql = yield* SqlClient.SqlClient
      const [manager, other, pool] = [yield* freshAddress, yield* freshAddress, yield* freshAddress]
      const fresh = (made: { readonly address: Parameters<typeof store.history>[0] }) =>
        Effect.map(store.history(made.address), (history) => isNew(history, { manager, network: null }))
      const linked = yield* wallet
      assert.isTrue(yield* fresh(linked))
      yield* sql`insert into vault_links ${
        sql.insert({ wallet: linked.address, network: "base", pool, protocol: "dhedge" })
      }`
      assert.isFalse(yield* fresh(linked))
      const managed = yield* wallet
      const add = (by: typeof manager) =>
        store.associate({
          manager: by,
          network: null,
          wallet: managed.address,
          keyId: managed.keyId,
          label: null,
          onlyNew: true
        })
      assert.strictEqual(yield* add(manager), "added")
      assert.isTrue(yield* fresh(managed))
      assert.strictEqual(yield* add(other), "not new")
      const history = yield* store.history(managed.address)
      assert.deepStrictEqual(history.lists, [{ manager, network: null }])
      // The contract at the manager's address on one network is another authority.
      assert.isFalse(isNew(history, { manager, network: "polygon" }))
    }))

  it.effect("adds nothing with a key that is rotated at the same moment; a rotation that evicts leaves no manager", () =>
    Effect.gen(function*() {
      const store = yield* ManagerStore
      const keys = yield* ApiKeyStore
      const sql = yield* SqlClient.SqlClient
      const thief = yield* freshAddress
      const { address, keyId } = yield* wallet
      const digest = yield* freshDigest
      const [issued, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const rotation = yield* Effect.forkChild(sql.withTransaction(
        keys.issue({ wallet: address, digest, lastFour: "abcd", evict: { keep: [] } }).pipe(
          Effect.andThen(Deferred.succeed(issued, undefined)),
          Effect.andThen(Deferred.await(goOn))
        )
      ))
      yield* Deferred.await(issued)
      // Starts before the rotation is committed, and waits for it.
      const adding = yield* Effect.forkChild(
        store.associate({ manager: thief, network: null, wallet: address, keyId, label: null, onlyNew: true })
      )
      yield* untilBlocked
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(rotation)
      assert.strictEqual(yield* Fiber.join(adding), "revoked")
      assert.deepStrictEqual(yield* store.walletsOf({ manager: thief, network: null }), [])
    }))

  it.effect("gives an evicted manager no key from a rotation requested before the eviction", () =>
    Effect.gen(function*() {
      const store = yield* ManagerStore
      const keys = yield* ApiKeyStore
      const sql = yield* SqlClient.SqlClient
      const thief = yield* freshAddress
      const { address, keyId } = yield* wallet
      const rotate = Effect.flatMap(
        freshDigest,
        (digest) => keys.rotate({ wallet: address, manager: thief, digest, lastFour: "beef" })
      )
      yield* store.associate({ manager: thief, network: null, wallet: address, keyId, label: null, onlyNew: true })
      assert.isTrue(Option.isSome(yield* rotate))
      const [evicted, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const digest = yield* freshDigest
      const eviction = yield* Effect.forkChild(sql.withTransaction(
        keys.issue({ wallet: address, digest, lastFour: "abcd", evict: { keep: [] } }).pipe(
          Effect.tap(Deferred.succeed(evicted, undefined)),
          Effect.tap(Deferred.await(goOn))
        )
      ))
      yield* Deferred.await(evicted)
      const rotation = yield* Effect.forkChild(rotate)
      yield* untilBlocked
      yield* Deferred.succeed(goOn, undefined)
      const own = yield* Fiber.join(eviction)
      assert.isTrue(Option.isNone(yield* Fiber.join(rotation)))
      assert.deepStrictEqual(yield* keys.activeOf(address), Option.some({ keyId: own.keyId, wallet: address }))
    }))
})
