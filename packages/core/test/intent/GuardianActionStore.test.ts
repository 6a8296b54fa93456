import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { Token } from "../../src/chain/Token.ts"
import { explain } from "../../src/failure/Explanation.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { KillSwitch, stopping, stoppingGuardian } from "../../src/gas-wallet/KillSwitch.ts"
import { botScope } from "../../src/gas-wallet/SwitchScope.ts"
import {
  type Guardian,
  type GuardianAction,
  type GuardianTerms,
  HealthTerms,
  LossTerms,
  maxActionsPerDay
} from "../../src/guardian/Guardian.ts"
import { GuardianStore } from "../../src/guardian/GuardianStore.ts"
import { GuardianActionStore, type Transition } from "../../src/intent/GuardianActionStore.ts"
import { Failed, Succeeded } from "../../src/intent/Intent.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"

const Stores = GuardianActionStore.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(GuardianStore.layer, IntentStore.layer, KillSwitch.layer)),
  Layer.provideMerge(Layer.mergeAll(GasWalletStore.layer, ApiKeyStore.layer)),
  Layer.provideMerge(Database)
)

const weth = Token.make({ address: `0x${"1".repeat(40)}`, symbol: "WETH", decimals: 18 })
const usdc = Token.make({ address: `0x${"2".repeat(40)}`, symbol: "USDC", decimals: 6 })
const ether = 10n ** 18n

const health = HealthTerms.make({
  ...{ floor18: ether, target18: 2n * ether, prefer: ["sell"], slippage: 1, confirmations: 2 }
})
const breaker = LossTerms.make({
  ...{ maxDaily: 5, maxTotal: null, closeInto: usdc, closePositions: true, slippage: 1, confirmations: 2 }
})

const action: GuardianAction = { _tag: "sell", asset: weth.address, to: usdc.address, amount: ether, freed: false }
const request = TradeRequest.make({ from: weth.address, to: usdc.address, slippage: 1, platform: "auto" })

/** A vault of a fresh wallet, and what a test does with its guardians. */
const scene = Effect.gen(function*() {
  const store = yield* GuardianActionStore
  const guardians = yield* GuardianStore
  const { address, keyId } = yield* wallet
  const place = { network: "base" as const, pool: yield* freshAddress, wallet: address }
  const current = (guardian: Guardian) => Effect.map(guardians.find(guardian.id), Option.getOrThrow)
  const to = (guardian: Guardian, state: Transition["state"], event: Transition["event"]) =>
    store.move(guardian, { state, event, memory: guardian.memory, reason: "Because.", seconds: 0 })
  const acting = (terms: GuardianTerms) =>
    Effect.gen(function*() {
      const guardian = yield* store.set({ ...place, keyId, terms, paper: false })
      yield* to(guardian, "acting", "tripped")
      return yield* current(guardian)
    })
  const begin = (guardian: Guardian) => store.begin(guardian, action, request, guardian.memory)
  return { ...store, guardians, place, keyId, current, to, acting, begin }
})

const failed = Failed.make({
  txHash: null,
  failure: explain({ _tag: "LegNotAToken" })
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the actions of guardians", (it) => {
  it.effect("begin once with one intent, however many runners try, and end once", () =>
    Effect.gen(function*() {
      const { acting, begin, current, endAction, place } = yield* scene
      const guardian = yield* acting(breaker)
      const found = yield* Effect.all(Array.from({ length: 5 }, () => begin(guardian)), { concurrency: "unbounded" })
      assert.deepStrictEqual(found.map(({ _tag }) => _tag).toSorted(), ["begun", ...Array(4).fill("changed")])
      const sql = yield* SqlClient.SqlClient
      const intents = yield* sql<{ readonly id: string; readonly key: string }>`select id::text as id,
        idempotency_key as key from intents where pool = ${place.pool}`
      assert.deepStrictEqual(intents.map(({ key }) => key), [`guardian/${guardian.id}/0`])
      const done = Succeeded.make({ txHash: null, message: "Sold.", result: {} })
      yield* Effect.replicateEffect(endAction(guardian.id, intents[0]?.id ?? "", done), 3)
      assert.deepInclude(yield* current(guardian), { step: 1, openIntent: null, state: "acting" })
    }))

  it.effect("of two guardians of a vault follow each other, the repair of its debt first", () =>
    Effect.gen(function*() {
      const { acting, begin, current, to } = yield* scene
      const [closing, repairing] = [yield* acting(breaker), yield* acting(health)]
      assert.strictEqual((yield* begin(closing))._tag, "busy")
      const begun = yield* Effect.all([begin(closing), begin(repairing)], { concurrency: "unbounded" })
      assert.deepStrictEqual(begun.map(({ _tag }) => _tag), ["busy", "begun"])
      assert.strictEqual((yield* begin(closing))._tag, "busy")
      // A guardian with an action in progress changes no state.
      assert.isFalse(yield* to(yield* current(repairing), "armed", "cleared"))
    }))

  it.effect("are left out after three failures in a row, and never more than a day's number of them", () =>
    Effect.gen(function*() {
      const { acting, begin, current, endAction, guardians } = yield* scene
      const guardian = yield* acting(breaker)
      const fails = Effect.gen(function*() {
        const begun = yield* begin(yield* current(guardian))
        return begun._tag === "begun" ? yield* endAction(guardian.id, begun.intentId, failed) : begun._tag
      })
      assert.deepStrictEqual(yield* Effect.replicateEffect(fails, 3), [false, false, true])
      assert.deepInclude((yield* current(guardian)).memory, { skipped: [`sell ${weth.address}`] })
      const kinds = (yield* guardians.events(guardian.id)).map(({ kind }) => kind)
      assert.deepStrictEqual(kinds.slice(0, 2), ["failed", "action_failed"])
      yield* Effect.replicateEffect(fails, maxActionsPerDay - 3)
      assert.strictEqual(yield* fails, "spent")
    }))

  it.effect("count for the day of their vault when the guardian is deleted and set again", () =>
    Effect.gen(function*() {
      const { acting, begin, current, endAction, remove } = yield* scene
      const first = yield* acting(breaker)
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into vault_guardian_actions (guardian_id, step, intent_id, action, state, ended_at)
        select ${first.id}, n, gen_random_uuid(), ${JSON.stringify({ _tag: "sell" })}::jsonb, 'succeeded', now()
        from generate_series(1000, ${998 + maxActionsPerDay}::int) n`
      yield* remove(first.id)
      const second = yield* acting(breaker)
      const begun = yield* begin(second)
      assert.strictEqual(begun._tag, "begun")
      yield* endAction(second.id, begun._tag === "begun" ? begun.intentId : "", failed)
      assert.strictEqual((yield* begin(yield* current(second)))._tag, "spent")
      // A guardian of another kind has a day of its own.
      assert.strictEqual((yield* begin(yield* acting(health)))._tag, "begun")
    }))

  it.effect("are withdrawn with a deleted guardian while they are not planned", () =>
    Effect.gen(function*() {
      const { acting, begin, current, remove } = yield* scene
      const guardian = yield* acting(breaker)
      const begun = yield* begin(guardian)
      yield* remove(guardian.id)
      const intents = yield* IntentStore
      const intent = Option.getOrThrow(yield* intents.findInProgress(begun._tag === "begun" ? begun.intentId : ""))
      assert.strictEqual(intent.withdrawn?._tag, "Failed")
      assert.deepInclude(yield* current(guardian), { openIntent: null })
      assert.isTrue(Option.isNone(yield* remove(guardian.id)))
    }))

  it.effect("are stopped by the owner's switch, and not by the one that a breaker sets", () =>
    Effect.gen(function*() {
      const { acting, begin, place } = yield* scene
      const switches = yield* KillSwitch
      const guardian = yield* acting(breaker)
      const scope = botScope(place.network, place.pool)
      assert.match(stopping(yield* switches.list, place) ?? "", /the loss breaker has tripped/)
      assert.isNull(stoppingGuardian(yield* switches.list, place))
      yield* switches.pauseAsOwner(scope, "enough")
      assert.match(stoppingGuardian(yield* switches.list, place) ?? "", /enough/)
      assert.strictEqual((yield* begin(guardian))._tag, "changed")
      assert.strictEqual(yield* switches.resumeAsOwner(scope), "resumed")
      // It still acts, and holds bots and orders until it is done.
      assert.match(stopping(yield* switches.list, place) ?? "", /Because/)
      assert.strictEqual((yield* begin(guardian))._tag, "begun")
    }))

  it.effect("are kept by new terms of the guardian, and not by a change to paper", () =>
    Effect.gen(function*() {
      const { acting, current, keyId, place, reset, set } = yield* scene
      const guardian = yield* acting(breaker)
      yield* set({ ...place, keyId, terms: { ...breaker, maxDaily: 9 }, paper: false })
      assert.deepInclude(yield* current(guardian), { state: "acting", revision: 1 })
      yield* set({ ...place, keyId, terms: breaker, paper: true })
      assert.deepInclude(yield* current(guardian), { state: "armed", paper: true, trippedAt: null })
      assert.deepInclude(Option.getOrThrow(yield* reset(guardian.id)), { state: "armed", revision: 3 })
    }))
})
