import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Token } from "../../src/chain/Token.ts"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import type { IndexSetting } from "../../src/index-bot/IndexBot.ts"
import { IndexBotStore } from "../../src/index-bot/IndexBotStore.ts"
import type { LegOutcome, RunLeg } from "../../src/index-bot/IndexRun.ts"
import type { NewRun } from "../../src/index-bot/IndexRunStart.ts"
import { type RunEnd, IndexRunStore } from "../../src/index-bot/IndexRunStore.ts"
import * as Uuid from "../../src/storage/Uuid.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"

const network = "base"
const Stores = Layer.mergeAll(IndexBotStore.layer, IndexRunStore.layer, GasWalletStore.layer, ApiKeyStore.layer).pipe(
  Layer.provideMerge(Database)
)

const usdc = Token.make({ address: `0x${"1".repeat(40)}`, symbol: "USDC", decimals: 6 })
const weth = Token.make({ address: `0x${"2".repeat(40)}`, symbol: "WETH", decimals: 18 })
const usd = 10n ** 18n

const leg = (dollars: number): RunLeg => ({
  ...{
    side: "buy",
    asset: weth,
    from: usdc,
    to: weth,
    amount: BigInt(dollars) * 1_000_000n,
    minOut: 1n,
    usd18: BigInt(dollars) * usd
  },
  ...{ slippage: 1, platform: "auto", partial: true, intentId: null, outcome: null }
})
const succeeded: LegOutcome = {
  status: "succeeded",
  txHash: `0x${"a".repeat(64)}`,
  message: "Sold.",
  failure: null,
  sold: null,
  bought: null
}
const failure = new ExecutionFailure({ errorType: "no_route", message: "No venue." })
const failed: LegOutcome = { ...succeeded, status: "failed", txHash: null, message: "No venue.", failure }
const done: RunEnd = { state: "done", message: "Made 1 trade.", failure: null, counts: true }
const broken: RunEnd = { state: "failed", message: "No venue.", failure: null, counts: true }

/** Creates a fresh vault with an index bot. */
const seen = (more: Partial<IndexSetting> = {}) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const bots = yield* IndexBotStore
    const runs = yield* IndexRunStore
    const { address, keyId } = yield* wallet
    const pool = yield* freshAddress
    const setting: IndexSetting = {
      ...{
        network,
        pool,
        wallet: address,
        keyId,
        quote: usdc,
        intervalSeconds: 3600,
        maxUsd18: 500n * usd,
        minTradeUsd18: usd
      },
      ...{ tolerance: 5, slippage: 1, platform: "auto", enabled: true, paper: false },
      targets: [{ token: weth, weight: 60.5, tolerance: 2 }, { token: usdc, weight: 39.5, tolerance: null }],
      ...more
    }
    const newRun: Effect.Effect<NewRun> = Effect.map(
      Uuid.v7,
      (id) => ({ id, network, pool, wallet: address, keyId, quote: usdc, force: false, idempotencyKey: null })
    )
    return {
      bots,
      runs,
      pool,
      setting,
      bot: yield* bots.put(setting),
      newRun,
      find: Effect.map(bots.find(network, pool), Option.getOrThrow),
      begin: (more: Partial<NewRun> = {}) =>
        Effect.flatMap(newRun, (run) => Effect.map(runs.begin({ ...run, ...more }), Option.getOrThrow)),
      run: (id: string) => Effect.map(runs.find(id), Option.getOrThrow),
      makeDue: sql`update index_bots set next_run_at = now() - interval '1 day' where pool = ${pool}`,
      isWaiting: Effect.map(bots.waiting(1_000), (all) => all.some((each) => each.pool === pool))
    }
  })

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("an index bot's row", (it) => {
  it.effect("stores the settings exactly, once per vault", () =>
    Effect.gen(function*() {
      const { bot, bots, find, pool, setting } = yield* seen()
      assert.deepInclude({ ...bot }, { ...setting, failures: 0, pausedReason: null, lastDecision: null })
      const changed = yield* bots.put({ ...setting, enabled: false, maxUsd18: 7n })
      assert.deepStrictEqual([changed.enabled, changed.maxUsd18], [false, 7n])
      assert.deepStrictEqual(yield* find, changed)
      assert.deepStrictEqual((yield* bots.ofWallets([setting.wallet])).map((each) => each.pool), [pool])
      assert.isTrue(Option.isNone(yield* bots.find("polygon", pool)))
      assert.isTrue(Option.isNone(yield* bots.disable("polygon", pool)))
    }))

  it.effect("is due when its time has come and its schedule is running, and is postponed with the reason", () =>
    Effect.gen(function*() {
      const { bots, find, isWaiting, makeDue, pool } = yield* seen()
      assert.deepStrictEqual([yield* isWaiting, Option.isSome(yield* bots.due(network, pool))], [true, true])
      yield* bots.putOff(network, pool, "Nothing to do.", 3600)
      assert.deepStrictEqual([yield* isWaiting, Option.isSome(yield* bots.due(network, pool))], [false, false])
      assert.strictEqual((yield* find).lastDecision, "Nothing to do.")
      yield* makeDue
      yield* bots.disable(network, pool)
      assert.deepStrictEqual([yield* isWaiting, Option.isSome(yield* bots.due(network, pool))], [false, false])
    }))
})

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("a run's row", (it) => {
  it.effect("is one at a time: ten concurrent starts begin one, and all return its id", () =>
    Effect.gen(function*() {
      const { begin, run, runs } = yield* seen()
      const begun = yield* Effect.all(Array.from({ length: 10 }, () => begin()), { concurrency: "unbounded" })
      assert.strictEqual(new Set(begun.map(({ id }) => id)).size, 1)
      assert.deepStrictEqual(begun.map(({ _tag }) => _tag).sort(), [
        "begun",
        ...Array.from({ length: 9 }, () => "joined")
      ])
      const [{ id } = { id: "" }] = begun
      assert.deepInclude({ ...(yield* run(id)) }, {
        reason: "asked",
        state: "running",
        cap18: 500n * usd,
        spent18: 0n,
        legs: [],
        planned: null,
        quote: usdc
      })
      yield* runs.end(id, done)
      assert.strictEqual((yield* begin())._tag, "begun")
    }))

  it.effect("is the same when it is begun again with its id, also after it has ended", () =>
    Effect.gen(function*() {
      const { newRun, runs } = yield* seen()
      const run = yield* newRun
      const again = Effect.map(runs.begin(run), Option.getOrThrow)
      assert.deepStrictEqual([yield* again, yield* again], [{ _tag: "begun", id: run.id }, {
        _tag: "begun",
        id: run.id
      }])
      yield* runs.end(run.id, done)
      assert.deepStrictEqual(yield* again, { _tag: "begun", id: run.id })
    }))

  it.effect("is found by its idempotency key, also when it was joined; another request with the key is a conflict", () =>
    Effect.gen(function*() {
      const { begin, runs } = yield* seen()
      const { id } = yield* begin({ idempotencyKey: "one" })
      assert.deepStrictEqual(yield* begin({ idempotencyKey: "two" }), { _tag: "joined", id })
      yield* runs.end(id, done)
      assert.deepStrictEqual([yield* begin({ idempotencyKey: "one" }), yield* begin({ idempotencyKey: "two" })], [{
        _tag: "known",
        id
      }, { _tag: "known", id }])
      assert.deepStrictEqual(yield* begin({ idempotencyKey: "one", force: true }), { _tag: "conflict", id })
      assert.deepStrictEqual((yield* begin({ idempotencyKey: "one", quote: weth }))._tag, "conflict")
    }))

  it.effect("begins by schedule once, however late, and schedules the next run from there", () =>
    Effect.gen(function*() {
      const { find, makeDue, pool, run, runs } = yield* seen()
      yield* makeDue
      const begun = yield* Effect.all(
        Array.from({ length: 5 }, () => Effect.option(runs.beginScheduled(network, pool))),
        { concurrency: "unbounded" }
      )
      const ids = begun.flatMap((each) => Option.toArray(Option.flatten(each)))
      assert.strictEqual(ids.length, 1)
      assert.isAbove((yield* find).nextRunAt.getTime(), Date.now() + 3_000_000)
      assert.deepInclude({ ...(yield* run(ids[0] ?? "")) }, { reason: "scheduled", state: "running" })
      yield* makeDue
      assert.isTrue(Option.isNone(yield* runs.beginScheduled(network, pool)))
    }))

  it.effect("stores a leg once, before and after its execution, and releases the value of a failed one", () =>
    Effect.gen(function*() {
      const { begin, run, runs } = yield* seen()
      const { id } = yield* begin()
      assert.deepStrictEqual([yield* runs.append(id, 0, [leg(100)]), yield* runs.append(id, 0, [leg(100)])], [
        true,
        false
      ])
      yield* runs.recordIntent(id, 0, "01936f5a-0000-7000-8000-000000000000")
      yield* runs.recordOutcome(id, 0, succeeded)
      yield* runs.recordOutcome(id, 0, failed)
      assert.isTrue(yield* runs.append(id, 1, [leg(50)]))
      yield* runs.recordOutcome(id, 1, failed)
      yield* runs.recordOutcome(id, 1, failed)
      yield* runs.recordPlan(id, [leg(100), leg(50)], 1_000n * usd)
      yield* runs.recordPlan(id, [], 0n)
      const { legs, planned, spent18, totalUsd18 } = yield* run(id)
      assert.deepStrictEqual(legs, [{
        ...leg(100),
        intentId: "01936f5a-0000-7000-8000-000000000000",
        outcome: succeeded
      }, { ...leg(50), outcome: failed }])
      assert.deepStrictEqual([planned?.length, totalUsd18, spent18], [2, 1_000n * usd, 100n * usd])
      assert.isTrue(yield* runs.append(id, 2, [leg(40)]))
      const sold = { asset: usdc.address, symbol: "USDC", amount: "10", raw: "10000000" }
      yield* runs.recordOutcome(id, 2, { ...succeeded, sold })
      assert.strictEqual((yield* run(id)).spent18, 110n * usd, "what a pool did not bear is not spent")
      yield* runs.end(id, done)
      assert.isFalse(yield* runs.append(id, 3, [leg(1)]))
    }))

  it.effect("pauses its bot at the third failure in a row, not counting excluded failures or those before a success", () =>
    Effect.gen(function*() {
      const { begin, bots, find, runs, setting } = yield* seen()
      const ends = (ending: RunEnd) =>
        Effect.flatMap(begin(), ({ id }) => Effect.andThen(runs.end(id, ending), runs.end(id, ending)))
      const endings = [broken, broken, done, broken, { ...broken, counts: false }, broken]
      for (const ending of endings) yield* ends(ending)
      assert.deepStrictEqual([(yield* find).failures, (yield* find).pausedReason], [2, null])
      yield* ends(broken)
      const paused = yield* find
      assert.strictEqual(
        paused.pausedReason,
        "3 runs in a row failed; set it again to resume it. Last failure: No venue."
      )
      assert.strictEqual(paused.lastDecision, "No venue.")
      assert.isTrue(Option.isNone(yield* bots.due(network, setting.pool)))
      const again = yield* bots.put(setting)
      assert.deepStrictEqual([again.failures, again.pausedReason], [0, null])
    }))

  it.effect("is deleted, on paper, when its vault has a hundred newer ones", () =>
    Effect.gen(function*() {
      const { begin, last, runs } = yield* Effect.map(
        seen({ paper: true }),
        (all) => ({ ...all, last: all.runs.last(network, all.pool) })
      )
      const sql = yield* SqlClient.SqlClient
      const ids = yield* Effect.forEach(Array.from({ length: 104 }), () =>
        Effect.flatMap(begin(), ({ id }) => Effect.as(runs.end(id, done), id)))
      const [row] = yield* sql<{ readonly n: number }>`select count(*)::int as n from index_runs where id in ${
        sql.in(ids)
      }`
      assert.isAtMost(row?.n ?? 0, 101)
      assert.deepStrictEqual(
        Option.map(yield* last, ({ id }) =>
          id),
        Option.fromNullishOr(ids.at(-1))
      )
    }))
})
