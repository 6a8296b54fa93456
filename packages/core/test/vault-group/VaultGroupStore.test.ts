import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address } from "../../src/chain/Address.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import type { NewIntent } from "../../src/intent/IntentInsert.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { RetentionStore } from "../../src/storage/RetentionStore.ts"
import * as Uuid from "../../src/storage/Uuid.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import {
  type GroupMember,
  GroupRequest,
  maxGroups,
  type MemberPlan,
  tradeKey
} from "../../src/vault-group/VaultGroup.ts"
import { isSame, VaultGroupStore } from "../../src/vault-group/VaultGroupStore.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(
  ...[VaultGroupStore.layer, IntentStore.layer, RetentionStore.layer] as const,
  GasWalletStore.layer,
  ApiKeyStore.layer
).pipe(Layer.provideMerge(Database))

const request = GroupRequest.make({
  ...{ group: "majors", from: "USDC", to: "WETH", share: 50, amount: null, split: null },
  ...{ slippage: null, platform: null, validFor: null }
})

const plan = (pool: Address): MemberPlan => ({
  ...{ network: "base", pool, decision: "trade", share: 50, amount: null, reason: null }
})

/** A call of a new wallet, about one vault. */
const newCall = (idempotencyKey: string) =>
  Effect.gen(function*() {
    const by = yield* wallet
    const pool = yield* freshAddress
    const { address, keyId } = by
    const call = {
      ...{ id: yield* Uuid.v7, wallet: address, keyId, subKeyId: null, idempotencyKey, request },
      members: [plan(pool)]
    }
    const trade: NewIntent = {
      ...{ wallet: address, keyId, endpoint: "vaultTrade", network: "base", pool } as const,
      request: TradeRequest.make({ from: "USDC", to: "WETH", share: 50, slippage: 0.5, platform: "auto" }),
      idempotencyKey: tradeKey(call.id, 0)
    }
    return { call, trade }
  })

layer(Stores)("groups of vaults", (it) => {
  it.effect("are a wallet's own, one of each name in any case, and no more than the maximum", () =>
    Effect.gen(function*() {
      const store = yield* VaultGroupStore
      const { address } = yield* wallet
      const member: GroupMember = { network: "base", pool: yield* freshAddress, weight: 60 }
      const members = [member]
      const first = yield* store.set({ wallet: address, name: "Majors", members })
      const again = yield* store.set({ wallet: address, name: "majors", members: [{ ...member, weight: null }] })
      assert.deepStrictEqual([first._tag === "set" && first.isNew, again._tag === "set" && again.isNew], [true, false])
      assert.deepStrictEqual((yield* store.list(address)).map(({ name }) => name), ["majors"])
      assert.isTrue(Option.isNone(yield* store.find((yield* wallet).address, "majors")))
      for (let count = 1; count < maxGroups; count++) {
        yield* store.set({ wallet: address, name: `group ${count}`, members })
      }
      assert.strictEqual((yield* store.set({ wallet: address, name: "more", members }))._tag, "full")
      assert.isTrue(Option.isSome(yield* store.remove(address, "MAJORS")))
      assert.isTrue(Option.isNone(yield* store.remove(address, "majors")))
      assert.strictEqual((yield* store.set({ wallet: address, name: "more", members }))._tag, "set")
    }))

  it.effect("a call takes its key once, whatever else has it, and is read back as it was stored", () =>
    Effect.gen(function*() {
      const store = yield* VaultGroupStore
      const intents = yield* IntentStore
      const { call, trade } = yield* newCall("taken")
      assert.isTrue(yield* store.accept(call))
      assert.isFalse(yield* store.accept({ ...call, id: yield* Uuid.v7 }))
      assert.strictEqual((yield* intents.accept({ ...trade, idempotencyKey: "taken" }))._tag, "conflict")
      const found = Option.getOrThrow(yield* store.findCall(call.wallet, call.id))
      assert.isTrue(isSame(found.call.request, request))
      assert.deepStrictEqual(found.call.members, call.members)
      assert.isBelow(found.ageSeconds, 60)
      assert.isTrue(Option.isNone(yield* store.findCall((yield* wallet).address, call.id)))
    }))

  it.effect("a call keeps its key for seven days, and longer while one of its trades is open", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* VaultGroupStore
      const intents = yield* IntentStore
      const retention = yield* RetentionStore
      const { call, trade } = yield* newCall("old")
      yield* store.accept(call)
      const { id } = yield* intents.accept(trade)
      assert.strictEqual(yield* retention.otherKeys, 0)
      yield* sql`update vault_group_calls set created_at = now() - interval '8 days' where id = ${call.id}`
      assert.strictEqual(yield* retention.otherKeys, 0)
      yield* intents.finish(
        id,
        { _tag: "Succeeded", txHash: null, message: "Nothing to do.", result: {} },
        Option.none()
      )
      assert.strictEqual(yield* retention.otherKeys, 1)
      assert.isTrue(yield* store.accept({ ...call, id: yield* Uuid.v7 }))
    }))
})
