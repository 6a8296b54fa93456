import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { Address, Hash } from "../../src/chain/Address.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import type { NewLaneQuarantine } from "../../src/gas-wallet/LaneQuarantine.ts"
import { LaneQuarantineStore } from "../../src/gas-wallet/LaneQuarantineStore.ts"
import { LaneReconciliationStore } from "../../src/gas-wallet/LaneReconciliationStore.ts"
import { Database, row, untilBlocked, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(
  LaneQuarantineStore.layer,
  LaneReconciliationStore.layer,
  ApiKeyStore.layer,
  GasWalletStore.layer
).pipe(Layer.provideMerge(Database))

const network = "base"
const hash = `0x${"ab".repeat(32)}` as const

const quarantine = (owner: Address, changes: Partial<NewLaneQuarantine> = {}): NewLaneQuarantine => ({
  network,
  wallet: owner,
  kind: "rows_behind_chain",
  reason: "the ledger is behind",
  evidence: { count: "7", transactions: [{ nonce: "6", hash, note: "a call of a vault" }] },
  ...changes
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("LaneQuarantineStore", (it) => {
  it.effect("opens a lane's quarantine once, and replaces its evidence after that", () =>
    Effect.gen(function*() {
      const store = yield* LaneQuarantineStore
      const { address } = yield* wallet
      assert.deepStrictEqual(yield* store.find(network, address), Option.none())
      assert.strictEqual(yield* store.open(quarantine(address)), "opened")
      assert.strictEqual(
        yield* store.open(quarantine(address, { kind: "record_conflict", reason: "another" })),
        "replaced"
      )
      const found = Option.getOrThrow(yield* store.find(network, address))
      assert.deepInclude(found, { kind: "record_conflict", reason: "another", wallet: address })
      assert.deepStrictEqual(found.evidence, quarantine(address).evidence)
      assert.lengthOf((yield* store.list).filter((each) => each.wallet === address), 1)
      assert.deepStrictEqual(yield* store.find("polygon", address), Option.none())
    }))

  it.effect("ends a quarantine only of the given kinds, and can open the next one", () =>
    Effect.gen(function*() {
      const store = yield* LaneQuarantineStore
      const { address } = yield* wallet
      yield* store.open(quarantine(address))
      assert.isFalse(yield* store.end(network, address, "service", ["unexplained_nonce", "record_conflict"]))
      assert.isTrue(Option.isSome(yield* store.find(network, address)))
      assert.isFalse(yield* store.end("polygon", address, "service", ["rows_behind_chain"]))
      assert.isTrue(yield* store.end(network, address, "service", ["unexplained_nonce", "rows_behind_chain"]))
      assert.isFalse(yield* store.end(network, address, "service", ["rows_behind_chain"]))
      assert.deepStrictEqual(yield* store.find(network, address), Option.none())
      assert.strictEqual(yield* store.open(quarantine(address)), "opened")
    }))

  it.effect("declares everything up to the evidence's count explained at a release, never less than before", () =>
    Effect.gen(function*() {
      const store = yield* LaneQuarantineStore
      const rows = yield* LaneReconciliationStore
      const { address } = yield* wallet
      const baseline = Effect.map(rows.head(network, address), (head) => head.baseline)
      yield* store.open(quarantine(address))
      assert.strictEqual(yield* baseline, null)
      const released = Option.getOrThrow(yield* store.release(network, address, "Ada"))
      assert.strictEqual(released.evidence.count, "7")
      assert.strictEqual(yield* baseline, 7n)
      assert.deepStrictEqual(yield* store.find(network, address), Option.none())
      assert.deepStrictEqual(yield* store.release(network, address, "Ada"), Option.none())
      const past = yield* row(`select released_by, released_at is not null as done, evidence -> 'count' as count
        from lane_quarantines where wallet = '${address}'`)
      assert.deepStrictEqual(past, { released_by: "Ada", done: true, count: "7" })

      yield* store.open(quarantine(address, { evidence: { count: "9", transactions: [] } }))
      yield* store.release(network, address, "Ada")
      assert.strictEqual(yield* baseline, 9n)
      yield* store.open(quarantine(address, { evidence: { count: null, transactions: [] } }))
      yield* store.release(network, address, "Ada")
      assert.strictEqual(yield* baseline, 9n)
    }))

  it.effect("does not open again on evidence that was read before its release", () =>
    Effect.gen(function*() {
      const store = yield* LaneQuarantineStore
      const { address } = yield* wallet
      yield* store.open(quarantine(address))
      yield* store.release(network, address, "Ada")
      assert.strictEqual(yield* store.open(quarantine(address)), "released")
      assert.deepStrictEqual(yield* store.find(network, address), Option.none())
      assert.strictEqual(
        yield* store.open(quarantine(address, { evidence: { count: "8", transactions: [] } })),
        "opened"
      )
      assert.isTrue(yield* store.end(network, address, "service", ["rows_behind_chain"]))
      assert.strictEqual(
        yield* store.open(quarantine(address, { evidence: { count: null, transactions: [] } })),
        "opened"
      )
    }))

  it.effect("does not open again on an unknown transaction that an operator has released, and does on another", () =>
    Effect.gen(function*() {
      const store = yield* LaneQuarantineStore
      const { address } = yield* wallet
      const unknown = (hash: Hash) =>
        quarantine(address, {
          kind: "unknown_transaction",
          evidence: { count: null, transactions: [{ nonce: "0", hash, note: "submission x has this nonce" }] }
        })
      yield* store.open(unknown(hash))
      yield* store.end(network, address, "service", ["unknown_transaction"])
      assert.strictEqual(yield* store.open(unknown(hash)), "opened")
      yield* store.release(network, address, "Ada")
      assert.strictEqual(yield* store.open(unknown(hash)), "released")
      assert.strictEqual(yield* store.open(unknown(`0x${"cd".repeat(32)}`)), "opened")
    }))

  it.effect("does not open on released evidence by a statement that began before the release was committed", () =>
    Effect.gen(function*() {
      const store = yield* LaneQuarantineStore
      const sql = yield* SqlClient.SqlClient
      const { address } = yield* wallet
      const unknown = quarantine(address, {
        kind: "unknown_transaction",
        evidence: { count: null, transactions: [{ nonce: "0", hash, note: "submission x has this nonce" }] }
      })
      yield* store.open(unknown)
      const [released, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const releasing = yield* Effect.forkChild(
        sql.withTransaction(Effect.gen(function*() {
          yield* store.release(network, address, "Ada")
          yield* Deferred.succeed(released, undefined)
          yield* Deferred.await(commit)
        }))
      )
      yield* Deferred.await(released)
      const opening = yield* Effect.forkChild(store.open(unknown))
      // It waits for the other transaction.
      yield* untilBlocked
      yield* Deferred.succeed(commit, undefined)
      yield* Fiber.join(releasing)
      assert.strictEqual(yield* Fiber.join(opening), "released")
      assert.deepStrictEqual(yield* store.find(network, address), Option.none())
    }))

  it.effect("knows the transactions that an operator has released, and not those the service ended", () =>
    Effect.gen(function*() {
      const store = yield* LaneQuarantineStore
      const { isReleased } = yield* LaneReconciliationStore
      const { address } = yield* wallet
      yield* store.open(quarantine(address))
      assert.isFalse(yield* isReleased(network, address, hash))
      yield* store.end(network, address, "service", ["rows_behind_chain"])
      assert.isFalse(yield* isReleased(network, address, hash))
      yield* store.open(quarantine(address))
      yield* store.release(network, address, "the operator")
      assert.isTrue(yield* isReleased(network, address, hash))
      assert.isFalse(yield* isReleased(network, address, `0x${"cd".repeat(32)}`))
      assert.isFalse(yield* isReleased("polygon", address, hash))
    }))
})
