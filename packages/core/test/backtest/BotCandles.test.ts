import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { rowsOf } from "../../src/backtest/BotCandles.ts"
import { read } from "../../src/backtest/CandleFile.ts"

const price = (close: string) => ({ open: "10", high: "13", low: "9", close })
const bots = [
  {
    data: { strategy: "grid" },
    candles: [{ time: 3600, prices: { WETH: price("1") } }, { time: 7200, prices: { WETH: price("2") } }]
  },
  {
    data: { strategy: "ema-cross" },
    candles: [
      { time: 3600, prices: { WETH: price("11"), WBTC: price("9") } },
      { time: 7200, prices: { WBTC: price("9") } },
      { time: 10_800, prices: { WETH: price("12.5") } }
    ]
  }
]
const sought = { symbol: "weth", strategy: "ema-cross" }
const fault = (text: string, other: Partial<typeof sought>) =>
  Result.getOrThrow(Result.flip(rowsOf("bots.json", text, { ...sought, ...other })))

describe("candles of a response of getStrategyBots", () => {
  for (
    const [form, response] of [
      ["of a client", { bots }],
      ["as it is on the wire, with more fields", { status: ["success"], bots: [bots], message: [null] }]
    ] as const
  ) {
    it(`are those of the strategy's bot and the asset, where it has a price, in a response ${form}`, () => {
      const rows = Result.getOrThrow(rowsOf("bots.json", JSON.stringify(response), sought))
      assert.deepStrictEqual(
        Result.getOrThrow(read("bots.json", rows)).map(({ close, time }) => [time, close]),
        [[3600, 11n * 10n ** 18n], [10_800, 125n * 10n ** 17n]]
      )
    })
  }

  it("are missing with a reason when no bot of the strategy, or no price of the asset, is in it", () => {
    const text = JSON.stringify({ bots })
    assert.strictEqual(fault(text, { strategy: "rsi" }), "bots.json has no bot of rsi; it has grid, ema-cross")
    assert.strictEqual(fault(text, { symbol: "DAI" }), "bots.json has no candles of DAI by the bot of ema-cross")
    assert.strictEqual(fault(JSON.stringify({ bots: [] }), {}), "bots.json has no bot of ema-cross; it has none")
  })

  it("are not looked for in a file of another form, which is returned as it is", () => {
    for (const text of ["time,open\n1,2", "[{\"time\":1}]", "{\"candles\":[]}"]) {
      assert.strictEqual(Result.getOrThrow(rowsOf("weth.csv", text, sought)), text)
    }
  })
})
