import { assert, describe, it } from "@effect/vitest"
import { base, costs, equal, file, sourceOf } from "./BacktestCommand.ts"

describe("the numbers of the backtest page", () => {
  it("are the command's for a threshold bot that follows signals", async () => {
    const report = await equal(
      {
        ...base,
        values: { ...base.values, threshold: "5", max_usd: "20000", share: "50" },
        signals: sourceOf("signals.csv")
      },
      ...["--candles", file("weth.csv"), "--pair", "WETH-USDC", "--signals", file("signals.csv"), "--threshold", "5"],
      ...["--max-usd", "20000", "--share", "50"]
    )
    assert.isAbove(report.trades.length, 5)
    assert.deepStrictEqual(report.signals, { count: 8, late: 0 })
  }, 120_000)

  it("are the command's for a bot that goes short, and for an index", async () => {
    await Promise.all([
      equal(
        {
          ...base,
          values: { ...base.values, side: "short", start: "base", cost_fee: "0.3" },
          inverse: sourceOf("wbtc.csv")
        },
        ...["--candles", file("weth.csv"), "--pair", "WETH-USDC", "--side", "short", "--inverse", file("wbtc.csv")],
        ...["--start", "base", "--fee", "0.3"]
      ),
      equal(
        {
          ...base,
          kind: "index",
          values: { ...costs, quote: "USDC", interval: "6h", tolerance: "5", max_usd: "30000", min_trade_usd: "10" },
          targets: [["WETH", "40", "2"], ["BTC", "40", ""], ["USDC", "20", ""]].map((
            [asset = "", weight = "", tolerance = ""]
          ) => ({ asset, weight, tolerance })),
          candles: [...base.candles, { symbol: "WBTC", source: sourceOf("wbtc.csv") }]
        },
        ...["--bot", "index", "--candles", `WETH=${file("weth.csv")}`, "--candles", `WBTC=${file("wbtc.csv")}`],
        ...["--targets", "WETH:40:2,BTC:40,USDC:20", "--interval", "6h", "--tolerance", "5", "--max-usd", "30000"],
        ...["--min-trade-usd", "10"]
      )
    ])
  }, 120_000)
})
