import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"

type Fields = Readonly<Record<string, unknown>>

/** A vault with a bot, and the reads of them. */
const sceneOf = (holdings: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const { advance, call, setPrice, transactionCount, vault } = yield* VaultTraderTest
    yield* setPrice("WETH", 3000)
    const { apiKey, network, pool, wallet } = yield* vault(holdings)
    const about = { apiKey, network, pool }
    const set = (params: Readonly<Record<string, string | number>>) =>
      Effect.andThen(call("setBot", { ...about, pair: "WETH-USDC", ...params }), advance("10 seconds"))
    const held = (symbol: string) =>
      Effect.map(call("poolComposition", about), ({ composition }) =>
        Number(
          (composition as ReadonlyArray<Fields>).find((line) => line["symbol"] === symbol)?.["amount"]
        ))
    const bot = Effect.map(call("getBotStatus", about), ({ data }) => {
      const [found] = (data as Fields)["bots"] as ReadonlyArray<Fields>
      return found ?? {}
    })
    return { about, advance, call, set, held, bot, sent: transactionCount(wallet) }
  })

layer(VaultTraderTest.layer())("a bot whose trade is larger than its pool bears", (it) => {
  it.effect("trades in slices of its maximum price impact, one a check, until it holds its side", () =>
    Effect.gen(function*() {
      const { advance, bot, held, sent, set } = yield* sceneOf({ WETH: "2000", USDC: "1000" })
      yield* set({ side: "neutral", max_impact: 1, slippage: 3 })
      const first = yield* held("WETH")
      assert.isBelow(first, 2000)
      assert.isAbove(first, 1)
      assert.match(JSON.stringify(yield* bot), /Sold/)
      assert.strictEqual(yield* sent, 1)
      // The test's pools are not traded back: each slice moves them on, so that the bot holds after some.
      yield* advance("5 minutes")
      const { active, paused_reason } = yield* bot
      assert.deepStrictEqual([active, paused_reason], [true, null])
    }))

  it.effect("without a maximum trades the whole while the pool bears it, and a part that loses little otherwise", () =>
    Effect.gen(function*() {
      const { bot, held, set } = yield* sceneOf({ WETH: "1", USDC: "1000" })
      yield* set({ side: "neutral", slippage: 3 })
      assert.isBelow(yield* held("WETH"), 0.01)
      assert.isNull((yield* bot)["max_impact"])
      const large = yield* sceneOf({ WETH: "2000", USDC: "1000" })
      yield* large.set({ side: "neutral", slippage: 3 })
      const left = yield* large.held("WETH")
      assert.isBelow(left, 2000)
      assert.isAbove(left, 1)
    }))

  it.effect("of an index makes the part that the pool bears, and the rest in later runs", () =>
    Effect.gen(function*() {
      const { about, call, held } = yield* sceneOf({ WBTC: "100", USDC: "1000" })
      const targets = JSON.stringify([{ asset: "WBTC", weight: 50 }, { asset: "USDC", weight: 50 }])
      yield* call("setIndexBot", { ...about, targets, interval: "1d", max_usd: 100_000_000, slippage: 3 })
      const run = yield* call("rebalancePool", { ...about, execute: true })
      const [first, ...others] = (run["data"] as Fields)["trades"] as ReadonlyArray<Fields>
      assert.deepStrictEqual(others, [])
      const soldOf = (trade: Fields | undefined) => Number((trade?.["sold"] as Fields)["amount"])
      assert.isBelow(soldOf(first), Number(first?.["amount"]) / 2)
      assert.closeTo(yield* held("WBTC"), 100 - soldOf(first), 1e-6)
    }))
})
