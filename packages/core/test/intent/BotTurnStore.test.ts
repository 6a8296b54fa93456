import { assert, layer } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { KillSwitch } from "../../src/gas-wallet/KillSwitch.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import type { BotTerms } from "../../src/threshold-bot/ThresholdBot.ts"
import type { Setting } from "../../src/threshold-bot/SettingRows.ts"
import { ThresholdBotStore } from "../../src/threshold-bot/ThresholdBotStore.ts"
import { BotTurnStore } from "../../src/intent/BotTurnStore.ts"
import { maxWaiting, WaitingSettings } from "../../src/threshold-bot/WaitingSettings.ts"
import { Database, freshAddress, untilBlocked, wallet } from "../storage/Database.ts"

const Stores = BotTurnStore.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(ThresholdBotStore.layer, WaitingSettings.layer, IntentStore.layer, KillSwitch.layer)
  ),
  Layer.provideMerge(Layer.mergeAll(GasWalletStore.layer, ApiKeyStore.layer)),
  Layer.provideMerge(Database)
)

const terms: BotTerms = {
  ...{ base: "WETH", quote: "USDC", side: "long", threshold: 1, share: 100, maxUsd: BigDecimal.make(1_000n, 0) },
  ...{ slippage: 1, platform: "auto", lending: false, autoEnable: false, maxImpact: null, paper: false }
}

/** Creates a bot setting of a fresh vault, and a waiting setting of the same bot. */
const waitingSetting = Effect.gen(function*() {
  const waiting = yield* WaitingSettings
  const { address, keyId } = yield* wallet
  const pool = yield* freshAddress
  const setting: Setting = {
    ...terms,
    ...{
      network: "base",
      pool,
      pair: "WETH-USDC",
      base: `0x${"1".repeat(40)}`,
      quote: `0x${"2".repeat(40)}`,
      inverse: null
    },
    ...{ wallet: address, keyId }
  }
  yield* waiting.keep({
    ...{ network: "base", pool, wallet: address, keyId, terms },
    ...{ idempotencyKey: null, token: null, validUntil: null }
  })
  const [kept] = yield* waiting.ofVault("base", pool)
  return { setting, id: kept?.id ?? "" }
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("a setting that waited for a node", (it) => {
  it.effect("sets the bot once", () =>
    Effect.gen(function*() {
      const turns = yield* BotTurnStore
      const { id, setting } = yield* waitingSetting
      const set = Effect.map(turns.setWaiting(id, setting, null), Option.map(({ bot }) => bot.side))
      assert.deepStrictEqual(yield* set, Option.some("long" as const))
      assert.deepStrictEqual(yield* set, Option.none())
    }))

  it.effect("never replaces a newer setting made at the same moment, whether the bot had a row or not", () =>
    Effect.gen(function*() {
      const turns = yield* BotTurnStore
      const store = yield* ThresholdBotStore
      const sql = yield* SqlClient.SqlClient
      for (const known of [false, true]) {
        // The bot was set long before.
        const { id, setting } = yield* waitingSetting
        if (known) {
          yield* turns.set({ ...setting, side: "neutral" }, null)
          yield* sql`update threshold_bots set set_at = now() - interval '1 hour' where pool = ${setting.pool}`
        }
        const [set, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const newer = yield* Effect.forkChild(sql.withTransaction(
          turns.set({ ...setting, side: "hold" }, null).pipe(
            Effect.andThen(Deferred.succeed(set, undefined)),
            Effect.andThen(Deferred.await(goOn))
          )
        ))
        yield* Deferred.await(set)
        const older = yield* Effect.forkChild(turns.setWaiting(id, setting, null))
        yield* untilBlocked
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(newer)
        assert.deepStrictEqual(yield* Fiber.join(older), Option.none())
        assert.deepStrictEqual((yield* store.ofVault("base", setting.pool)).map(({ side }) => side), ["hold"])
      }
    }))

  it.effect("counts against its wallet's limit only while it can still be applied", () =>
    Effect.gen(function*() {
      const waiting = yield* WaitingSettings
      const { setting: { keyId, wallet: address } } = yield* waitingSetting
      const keep = (validUntil: number | null) =>
        Effect.flatMap(freshAddress, (pool) =>
          waiting.keep({
            ...{ network: "base", pool, wallet: address, keyId, terms, idempotencyKey: null, token: null },
            validUntil
          }))
      const late = yield* Effect.replicateEffect(keep(1), maxWaiting)
      assert.isTrue(late.every((kept) => kept))
      const kept = yield* Effect.replicateEffect(keep(null), maxWaiting)
      // One setting is already waiting.
      assert.strictEqual(kept.filter((each) => each).length, maxWaiting - 1)
    }))
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("a turn that enables an asset", (it) => {
  const long: `0x${string}` = `0x${"1".repeat(40)}`
  const quote: `0x${string}` = `0x${"2".repeat(40)}`

  /** A bot whose first turn has ended. */
  const idle = (more: Partial<Setting>) =>
    Effect.gen(function*() {
      const turns = yield* BotTurnStore
      const store = yield* ThresholdBotStore
      const { setting } = yield* waitingSetting
      const set = yield* turns.set({ ...setting, ...more }, null)
      yield* store.recordEnd(set.bot.id, {
        intentId: set.intentId,
        decision: { action: "hold", reason: "It is not enabled.", at: new Date(0).toISOString() },
        counts: "succeeded",
        paperHoldings: null,
        restSeconds: 0
      })
      return { id: set.bot.id, setting: { ...setting, ...more } }
    })
  const requestOf = (intentId: Option.Option<string>) =>
    Effect.flatMap(
      IntentStore,
      (intents) => Effect.map(intents.find(Option.getOrThrow(intentId)), (found) => Option.getOrThrow(found).request)
    )

  it.effect("is one intent of its own, begun once, and the next turn trades", () =>
    Effect.gen(function*() {
      const turns = yield* BotTurnStore
      const store = yield* ThresholdBotStore
      const { id } = yield* idle({ autoEnable: true })
      const first = yield* turns.begin(id, long)
      assert.deepStrictEqual(yield* requestOf(first), { _tag: "EnableAsset", asset: long })
      assert.deepStrictEqual(yield* turns.begin(id, long), Option.none())
      yield* store.recordEnd(id, {
        intentId: Option.getOrThrow(first),
        decision: { action: "hold", reason: "It is enabled.", at: new Date(0).toISOString() },
        counts: "succeeded",
        paperHoldings: null,
        restSeconds: 0
      })
      assert.strictEqual((yield* requestOf(yield* turns.begin(id, null)))._tag, "BotTrade")
    }))

  it.effect("is a trade instead for a bot that may not enable, is on paper, or is to hold another asset", () =>
    Effect.gen(function*() {
      const turns = yield* BotTurnStore
      for (const more of [{ autoEnable: false }, { autoEnable: true, paper: true }]) {
        const { id } = yield* idle(more)
        assert.strictEqual((yield* requestOf(yield* turns.begin(id, long)))._tag, "BotTrade")
      }
      const { id } = yield* idle({ autoEnable: true })
      assert.strictEqual((yield* requestOf(yield* turns.begin(id, quote)))._tag, "BotTrade")
    }))

  it.effect("is withdrawn unplanned when the bot is set to another side or deleted", () =>
    Effect.gen(function*() {
      const turns = yield* BotTurnStore
      const intents = yield* IntentStore
      const { id, setting } = yield* idle({ autoEnable: true })
      const open = Option.getOrThrow(yield* turns.begin(id, long))
      yield* turns.set({ ...setting, side: "neutral" }, null)
      assert.strictEqual(Option.getOrThrow(yield* intents.findInProgress(open)).withdrawn?._tag, "Failed")
      const other = yield* idle({ autoEnable: true })
      const second = Option.getOrThrow(yield* turns.begin(other.id, long))
      yield* turns.remove([other.id])
      assert.strictEqual(Option.getOrThrow(yield* intents.findInProgress(second)).withdrawn?._tag, "Failed")
    }))
})
