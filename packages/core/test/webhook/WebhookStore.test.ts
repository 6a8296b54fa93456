import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address } from "../../src/chain/Address.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { Failed, Succeeded } from "../../src/intent/Intent.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { ManagerStore } from "../../src/manager/ManagerStore.ts"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { RetentionStore } from "../../src/storage/RetentionStore.ts"
import * as Uuid from "../../src/storage/Uuid.ts"
import { ApproveRequest } from "../../src/trading/Trading.ts"
import { eventTypes, type EventType, type Owner } from "../../src/webhook/Webhook.ts"
import { WebhookStore } from "../../src/webhook/WebhookStore.ts"
import { Database, freshAddress, freshDigest, wallet } from "../storage/Database.ts"

const Stores = Layer.provideMerge(
  Layer.mergeAll(
    WebhookStore.layer,
    IntentStore.layer,
    ManagerStore.layer,
    RetentionStore.layer,
    GasWalletStore.layer,
    ApiKeyStore.layer
  ),
  Database
)

const set = (owner: Owner, events: ReadonlyArray<EventType> = eventTypes, url = "https://hooks.example.com/") =>
  Effect.gen(function*() {
    const id = yield* Uuid.v7
    assert.isTrue(yield* (yield* WebhookStore).put({ owner, url, events, id, ciphertext: "c" }))
    return id
  })

const accept = ({ address, keyId }: { readonly address: Address; readonly keyId: string }) =>
  Effect.gen(function*() {
    const request = ApproveRequest.make({ platform: "auto", asset: "USDC" })
    const { id } = yield* (yield* IntentStore).accept({
      wallet: address,
      keyId,
      endpoint: "approve",
      network: "base",
      pool: yield* freshAddress,
      request,
      idempotencyKey: null
    })
    return id
  })

const typesOf = (owner: Owner) =>
  Effect.flatMap(
    WebhookStore,
    (store) => Effect.map(store.deliveries(owner, null, 100), (all) => all.map(({ type }) => type).reverse())
  )
const succeeded = Succeeded.make({ txHash: null, message: "Done.", result: {} })
const failed = Failed.make({
  txHash: null,
  failure: new ExecutionFailure({ errorType: "no_route", message: "No venue has a route." })
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the outbox of webhooks", (it) => {
  it.effect("refuses a webhook of a key that is rotated before it is stored", () =>
    Effect.gen(function*() {
      const store = yield* WebhookStore
      const { address, keyId } = yield* wallet
      const owner: Owner = { _tag: "wallet", wallet: address }
      const put = (by: string) =>
        Effect.flatMap(Uuid.v7, (id) =>
          store.put({ owner, keyId: by, url: "https://hooks.example.com/", events: eventTypes, id, ciphertext: "c" }))
      assert.isTrue(yield* put(keyId))
      const rotated = yield* (yield* ApiKeyStore).issue({
        wallet: address,
        digest: yield* freshDigest,
        lastFour: "wxyz",
        evict: { keep: [] }
      })
      assert.strictEqual((yield* Effect.flip(put(keyId)))._tag, "KeyRevoked")
      assert.deepStrictEqual(yield* store.of(owner), [])
      assert.isTrue(yield* put(rotated.keyId))
    }))

  it.effect("is filled by the transaction that ends an intent, once, and not by one that is rolled back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const intents = yield* IntentStore
      const by = yield* wallet
      const owner: Owner = { _tag: "wallet", wallet: by.address }
      const earlier = yield* accept(by)
      yield* intents.finish(earlier, succeeded, Option.none())
      yield* set(owner)
      const id = yield* accept(by)
      yield* Effect.ignore(
        sql.withTransaction(Effect.andThen(intents.finish(id, succeeded, Option.none()), Effect.fail("rolled back")))
      )
      assert.deepStrictEqual(yield* typesOf(owner), [])
      yield* intents.finish(id, failed, Option.none())
      yield* intents.finish(id, failed, Option.none())
      assert.deepStrictEqual(yield* typesOf(owner), ["intent.failed"])
      const mine = (yield* (yield* WebhookStore).take(100)).find(({ data }) =>
        (data as { readonly intent_id: string }).intent_id === id
      )
      assert.deepInclude(mine?.data as object, {
        endpoint: "approve",
        network: "base",
        gasWallet: by.address,
        error_type: "no_route",
        message: "No venue has a route."
      })
    }))

  it.effect("reports that a reorg reverted an outcome, and the new outcome", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const intents = yield* IntentStore
      const by = yield* wallet
      const owner: Owner = { _tag: "wallet", wallet: by.address }
      yield* set(owner)
      const id = yield* accept(by)
      yield* intents.finish(id, succeeded, Option.none())
      yield* sql`update intents set status = 'submitted', outcome = null where id = ${id}::uuid`
      yield* intents.finish(id, succeeded, Option.none())
      assert.deepStrictEqual([...(yield* typesOf(owner))].sort(), [
        "intent.reopened",
        "intent.succeeded",
        "intent.succeeded"
      ])
    }))

  it.effect("sends each owner only the chosen events: of the wallet itself, or of all wallets in a manager's list", () =>
    Effect.gen(function*() {
      const intents = yield* IntentStore
      const managers = yield* ManagerStore
      const [one, other] = [yield* wallet, yield* wallet]
      const manager = yield* freshAddress
      const owners: ReadonlyArray<Owner> = [{ _tag: "wallet", wallet: one.address }, { _tag: "manager", manager }]
      yield* managers.associate({
        manager,
        network: null,
        wallet: one.address,
        keyId: one.keyId,
        label: null,
        onlyNew: true
      })
      yield* managers.associate({
        manager,
        network: null,
        wallet: other.address,
        keyId: other.keyId,
        label: null,
        onlyNew: true
      })
      yield* set(owners[0]!, ["intent.failed"])
      yield* set(owners[1]!, ["intent.succeeded", "intent.failed"])
      for (const by of [one, other]) yield* intents.finish(yield* accept(by), succeeded, Option.none())
      yield* intents.finish(yield* accept(one), failed, Option.none())
      assert.deepStrictEqual(yield* typesOf(owners[0]!), ["intent.failed"])
      assert.deepStrictEqual([...(yield* typesOf(owners[1]!))].sort(), [
        "intent.failed",
        "intent.succeeded",
        "intent.succeeded"
      ])
      yield* managers.deassociate({ manager, network: null }, one.address)
      yield* intents.finish(yield* accept(one), failed, Option.none())
      assert.lengthOf(yield* typesOf(owners[1]!), 3)
    }))

  it.effect("reports once that a bot paused itself", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const by = yield* wallet
      const owner: Owner = { _tag: "wallet", wallet: by.address }
      yield* set(owner)
      const id = yield* Uuid.v7
      yield* sql`insert into threshold_bots (id, network, pool, pair, base, quote, side, threshold, share, max_usd,
        slippage, platform, lending, paper, wallet, key_id)
        values (${id}, 'base', ${yield* freshAddress}, 'WETH-USDC', ${yield* freshAddress}, ${yield* freshAddress},
        'long', 1, 100, 100, 1, 'auto', false, false, ${by.address}, ${by.keyId})`
      yield* sql`update threshold_bots set failures = 3, active = false, paused_reason = 'It failed 3 times in a row.'
        where id = ${id}`
      yield* sql`update threshold_bots set paused_reason = 'It failed again.' where id = ${id}`
      assert.deepStrictEqual(yield* typesOf(owner), ["bot.paused"])
    }))

  it.effect("gives a due delivery to one of several concurrent runners, and again to one when a retry is due", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* WebhookStore
      yield* sql`delete from webhook_events`
      const by = yield* wallet
      const owner: Owner = { _tag: "wallet", wallet: by.address }
      yield* set(owner)
      for (const _ of Array.from({ length: 10 })) {
        yield* (yield* IntentStore).finish(yield* accept(by), succeeded, Option.none())
      }
      const taken = (yield* Effect.all(Array.from({ length: 5 }, () => store.take(4)), { concurrency: "unbounded" }))
        .flat()
      assert.strictEqual(new Set(taken.map(({ id }) => id)).size, 10)
      assert.lengthOf(taken, 10)
      assert.deepStrictEqual(yield* store.take(100), [])
      const [first, second, third] = taken
      yield* store.recordAttempt(first!.id, { _tag: "delivered", status: 204 })
      yield* store.recordAttempt(second!.id, { _tag: "refused", status: 500, error: "no", again: 0 })
      yield* store.recordAttempt(third!.id, { _tag: "refused", status: null, error: "no", again: null })
      const again = yield* store.take(100)
      assert.deepStrictEqual(again.map(({ attempts, event }) => [attempts, event]), [[2, second!.event]])
      const statuses = (yield* store.deliveries(owner, null, 100)).map(({ status }) => status)
      assert.deepStrictEqual(
        ["delivered", "failed", "pending"].map((status) => statuses.filter((each) => each === status).length),
        [1, 1, 8]
      )
    }))

  it.effect("takes turns among owners, however long a queue is, and respects the attempts in progress", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* WebhookStore
      yield* sql`delete from webhook_events`
      const [loud, quiet] = [yield* wallet, yield* wallet]
      for (let index = 0; index < 10; index++) {
        yield* set(
          { _tag: "wallet", wallet: loud.address },
          eventTypes,
          `https://${index % 2 === 0 ? "" : `user${index}@`}Tarpit.example.com:444/${index}`
        )
      }
      yield* set({ _tag: "wallet", wallet: quiet.address })
      for (let index = 0; index < 30; index++) yield* sql`select webhook_tell('intent.failed', ${loud.address}, '{}')`
      yield* sql`select webhook_tell('intent.failed', ${quiet.address}, '{}')`
      const bounds = { perOwner: 4, perHost: 8, owners: new Map(), hosts: new Map(), closed: [] }
      const first = yield* store.take(2, bounds)
      assert.deepStrictEqual(
        new Set(first.map(({ host, owner }) => `${owner} ${host}`)),
        new Set([`${loud.address} tarpit.example.com:444`, `${quiet.address} hooks.example.com`])
      )
      yield* sql`select webhook_tell('intent.failed', ${quiet.address}, '{}')`
      const of = (taken: ReadonlyArray<{ readonly owner: string }>) =>
        [loud, quiet].map(({ address }) => taken.filter(({ owner }) => owner === address).length)
      assert.deepStrictEqual(of(yield* store.take(100, { ...bounds, owners: new Map([[loud.address, 1]]) })), [3, 1])
      assert.deepStrictEqual(of(yield* store.take(100, { ...bounds, owners: new Map([[loud.address, 4]]) })), [0, 0])
      assert.deepStrictEqual(of(yield* store.take(100, { ...bounds, closed: ["tarpit.example.com:444"] })), [0, 0])
      assert.deepStrictEqual(
        of(yield* store.take(100, { ...bounds, hosts: new Map([["tarpit.example.com:444", 6]]) })),
        [2, 0]
      )
      assert.deepStrictEqual(of(yield* store.take(3)), [3, 0])
    }))

  it.effect("stores at most ten webhooks of an owner, replaces one at the same URL, and removes old and undeliverable events", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* WebhookStore
      const by = yield* wallet
      const owner: Owner = { _tag: "wallet", wallet: by.address }
      const ids = yield* Effect.forEach(
        Array.from({ length: 10 }),
        (_, index) => set(owner, eventTypes, `https://hooks.example.com/${index}`)
      )
      assert.isFalse(
        yield* store.put({
          owner,
          url: "https://hooks.example.com/11",
          events: eventTypes,
          id: yield* Uuid.v7,
          ciphertext: "c"
        })
      )
      assert.isTrue(
        yield* store.put({
          owner,
          url: "https://hooks.example.com/0",
          events: ["gas.low"],
          id: ids[0]!,
          ciphertext: "d"
        })
      )
      assert.deepStrictEqual((yield* store.of(owner)).find(({ id }) => id === ids[0])?.events, ["gas.low"])
      yield* (yield* IntentStore).finish(yield* accept(by), succeeded, Option.none())
      assert.lengthOf(yield* typesOf(owner), 9)
      const stranger: Owner = { _tag: "wallet", wallet: (yield* wallet).address }
      assert.isFalse(yield* store.remove(stranger, ids[1]!))
      assert.isTrue(yield* store.remove(owner, ids[1]!))
      assert.lengthOf(yield* typesOf(owner), 8)
      yield* sql`update webhook_events set created_at = now() - interval '31 days' where wallet = ${by.address}`
      assert.isAtLeast(yield* (yield* RetentionStore).webhookEvents, 1)
      assert.deepStrictEqual(yield* typesOf(owner), [])
    }))
})
