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
import { type Setting, ThresholdBotStore } from "../../src/threshold-bot/ThresholdBotStore.ts"
import { BotTurnStore } from "../../src/intent/BotTurnStore.ts"
import { maxWaiting, WaitingSettings } from "../../src/threshold-bot/WaitingSettings.ts"
import { Database, freshAddress, row, wallet } from "../storage/Database.ts"

const Stores = BotTurnStore.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(ThresholdBotStore.layer, WaitingSettings.layer, IntentStore.layer, KillSwitch.layer)
  ),
  Layer.provideMerge(Layer.mergeAll(GasWalletStore.layer, ApiKeyStore.layer)),
  Layer.provideMerge(Database)
)

const terms: BotTerms = {
  ...{ base: "WETH", quote: "USDC", side: "long", threshold: 1, share: 100, maxUsd: BigDecimal.make(1_000n, 0) },
  ...{ slippage: 1, platform: "auto", lending: false, autoEnable: false, paper: false }
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
        const waiters = row("select count(*)::int as many from pg_locks where not granted")
        yield* Effect.repeat(waiters, { until: (found) => found?.["many"] !== 0 })
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
