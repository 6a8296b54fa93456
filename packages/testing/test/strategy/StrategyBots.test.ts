import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Path from "node:path"
import type { CallRefused } from "../../src/strategy-test/CallRefused.ts"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"

type Fields = Readonly<Record<string, unknown>>

interface Trade {
  readonly from: string
  readonly to: string
  readonly state: string
  readonly usd: number
}

interface Found {
  readonly data: Fields & { readonly reason: string; readonly paused_code: string | null }
  readonly decisions: ReadonlyArray<{
    readonly candle: number
    readonly state: string
    readonly reason: string
    readonly trades: ReadonlyArray<Trade>
  }>
  readonly events: ReadonlyArray<Fields>
}

const strategies = Path.join(import.meta.dirname, "strategies")

/** A vault, and what a test does with its strategy bots. */
const scene = Effect.gen(function*() {
  const service = yield* VaultTraderTest
  yield* service.setPrice("WETH", 3000)
  yield* service.setOraclePrice("USDC", 1)
  const { apiKey, network, pool, wallet } = yield* service.vault({ WETH: "1", USDC: "1000" })
  const about = { apiKey, network, pool }
  const set = (params: Readonly<Record<string, string | number | boolean>>) =>
    service.call("setStrategyBot", {
      ...{ ...about, assets: "WETH", interval: "1m", max_usd: 5_000, slippage: 3 },
      ...params
    })
  const read = Effect.map(service.call("getStrategyBots", about), ({ bots }) => {
    const [found] = bots as ReadonlyArray<Found>
    if (found === undefined) throw new Error("no strategy bot")
    return found
  })
  return { ...service, about, set, read, sent: service.transactionCount(wallet) }
})

/** Lets time pass until the vault's bot is as wanted; a service that was just killed does not answer. */
const until = (read: Effect.Effect<Found, CallRefused>, wanted: (bot: Found) => boolean) =>
  Effect.gen(function*() {
    const { advance } = yield* VaultTraderTest
    for (let left = 100; left > 0; left--) {
      const found = yield* Effect.option(read)
      if (Option.isSome(found) && wanted(found.value)) return found.value
      yield* advance("5 seconds")
    }
    return assert.fail(JSON.stringify(yield* read))
  })

layer(VaultTraderTest.layer({ strategies }))("strategy bots of a vault", (it) => {
  it.effect("lists the strategies of the folder, and says why one cannot be loaded", () =>
    Effect.gen(function*() {
      const { about, call } = yield* scene
      const found = (yield* call("getStrategies", about))["strategies"] as ReadonlyArray<{
        readonly name: string
        readonly problem: string | null
      }>
      assert.deepStrictEqual(
        found.map(({ name }) => name),
        ["calls", "fills", "half", "loops", "nonsense", "opens", "reads", "throws", "turning"]
      )
      assert.include(found.find(({ name }) => name === "opens")?.problem, "it imports 'node:fs'; accepted are")
    }))

  it.effect("refuses a bot whose strategy, inputs or assets do not fit, and says what is accepted", () =>
    Effect.gen(function*() {
      const { set } = yield* scene
      const refusal = (params: Readonly<Record<string, string>>) =>
        Effect.map(Effect.flip(set(params)), ({ message }) => message)
      assert.include(yield* refusal({ strategy: "other" }), "There is no strategy 'other'; STRATEGY_DIR has calls")
      assert.include(yield* refusal({ strategy: "opens" }), "it imports 'node:fs'")
      assert.include(
        yield* refusal({ strategy: "half", inputs: "part=101" }),
        "part is '101'; accepted is a number from 0 to 100"
      )
      assert.include(yield* refusal({ strategy: "half", inputs: "whole=1" }), "it has part")
      assert.include(yield* refusal({ strategy: "half", assets: "USDC" }), "USDC is named twice")
    }))

  it.effect("on paper it decides at each candle, and records the fills that it would have had without sending", () =>
    Effect.gen(function*() {
      const { advance, read, sent, set } = yield* scene
      yield* set({ strategy: "half" })
      const first = yield* until(read, ({ decisions }) => decisions.length > 0)
      assert.strictEqual(first.decisions[0]?.trades[0]?.state, "paper")
      assert.closeTo(first.decisions[0]?.trades[0]?.usd ?? 0, 1_000, 1)
      yield* advance("150 seconds")
      const { data, decisions } = yield* read
      assert.isAtLeast(decisions.length, 3)
      // Its holdings on paper are at their targets: nothing more is traded.
      assert.isTrue(decisions.slice(0, -1).every(({ trades }) => trades.length === 0))
      assert.closeTo(Number((data["paper_holdings"] as Readonly<Record<string, string>>)["WETH"]), 0.667, 0.01)
      assert.deepStrictEqual(data["memory"], { decisions: decisions.length })
      assert.strictEqual(yield* sent, 0)
    }))

  it.effect("live it trades to its targets, and is stopped and resumed by the switches of the vault's bots", () =>
    Effect.gen(function*() {
      const { about, advance, call, read, sent, set, setPrice } = yield* scene
      yield* set({ strategy: "half", mode: "live" })
      const { decisions } = yield* until(
        read,
        (bot) => bot.decisions.some(({ state, trades }) => trades.length > 0 && state === "done")
      )
      assert.deepInclude(decisions.at(-1)?.trades[0], { from: "WETH", to: "USDC", state: "succeeded" })
      assert.strictEqual(yield* sent, 1)
      yield* call("pauseBot", { ...about, reason: "test" })
      yield* setPrice("WETH", 6000)
      yield* advance("3 minutes")
      const paused = yield* read
      assert.include(String(paused.data["kill_switch"]), "test")
      assert.strictEqual(yield* sent, 1)
      yield* call("resumeBot", about)
      yield* until(
        read,
        (bot) =>
          bot.decisions.some(({ state, trades }, index) =>
            index < bot.decisions.length - 1 && trades.length > 0 && state === "done"
          )
      )
      assert.strictEqual(yield* sent, 2)
      assert.deepInclude(yield* call("deleteStrategyBot", { ...about, strategy: "half" }), {
        message: "The bot of half is deleted."
      })
      assert.deepStrictEqual((yield* call("getStrategyBots", about))["bots"], [])
    }))

  for (
    const [strategy, code, words] of [
      ["throws", "threw", "no idea"],
      ["loops", "timeout", "did not answer within"],
      ["fills", "memory", "MB of memory"],
      ["reads", "threw", "'process' is not defined"],
      ["calls", "threw", "'fetch' is not defined"],
      ["nonsense", "invalid_decision", "the target of WETH is 400"]
    ] as const
  ) {
    it.effect(`a strategy that ${strategy} is stopped: its bot pauses, says why, and trades nothing`, () =>
      Effect.gen(function*() {
        const { read, sent, set } = yield* scene
        yield* set({ strategy, mode: "live" })
        const { data, decisions, events } = yield* until(read, (bot) => bot.data.paused_code !== null)
        assert.deepInclude(data, { active: false, paused_code: code })
        assert.include(data.reason, words)
        assert.deepStrictEqual(events.map(({ kind }) => kind), ["paused", "set"])
        assert.strictEqual(decisions.length, 1)
        assert.strictEqual(yield* sent, 0)
      }))
  }

  for (const moment of ["before its decision", "after its trade began"] as const) {
    it.effect(`a decision that a restored copy from ${moment} has forgotten or left open is not traded again`, () =>
      Effect.gen(function*() {
        const { advance, backup, kills, killAt, read, restart, sent, set } = yield* scene
        yield* set({ strategy: "half", mode: "live" })
        if (moment === "after its trade began") {
          const before = yield* kills
          yield* killAt({ statement: /update strategy_bots set open_intent/, when: "after" })
          for (let left = 100; left > 0 && (yield* kills) === before; left--) yield* advance("2 seconds")
        }
        const restore = yield* backup
        yield* until(read, ({ decisions }) => decisions.some(({ trades: [trade] }) => trade?.state === "succeeded"))
        assert.strictEqual(yield* sent, 1)
        yield* restore
        yield* advance("3 minutes")
        yield* restart()
        yield* advance("3 minutes")
        assert.strictEqual(yield* sent, 1)
      }))
  }

  it.effect("deleted and set again, it still trades once at each candle", () =>
    Effect.gen(function*() {
      const { about, advance, call, sent, set } = yield* scene
      for (let rounds = 0; rounds < 12; rounds++) {
        yield* set({ strategy: "turning", mode: "live" })
        yield* advance("15 seconds")
        if (rounds % 2 === 0) yield* call("deleteStrategyBot", { ...about, strategy: "turning" })
      }
      yield* advance("20 seconds")
      // Three minutes have passed, which touch four candles.
      assert.isAtLeast(yield* sent, 1)
      assert.isAtMost(yield* sent, 4)
    }))

  for (
    const [statement, when] of [
      [/insert into strategy_decisions/, "before"],
      [/insert into strategy_decisions/, "after"],
      [/update strategy_decisions set trades/, "before"],
      [/update strategy_bots set open_intent/, "after"]
    ] as const
  ) {
    it.effect(`killed ${when} ${statement.source}, it acts once at each candle`, () =>
      Effect.gen(function*() {
        const { advance, killAt, read, sent, set } = yield* scene
        yield* set({ strategy: "turning", mode: "live" })
        yield* killAt({ statement, when })
        yield* until(read, ({ decisions }) => decisions.filter(({ state }) => state === "done").length >= 3)
        yield* advance("20 seconds")
        const { decisions } = yield* read
        assert.strictEqual(new Set(decisions.map(({ candle }) => candle)).size, decisions.length)
        const made = decisions.flatMap(({ trades }) => trades).filter(({ state }) => state === "succeeded").toReversed()
        assert.deepStrictEqual(
          made.map(({ from }) => from),
          made.map((_, index) => index % 2 === 0 ? "WETH" : "USDC")
        )
        assert.strictEqual(yield* sent, made.length)
      }))
  }
})
