import { assert, it } from "@effect/vitest"
import * as StrategyBacktest from "@vault-trader/core/backtest/StrategyBacktest"
import { alignBars, tokenOf } from "@vault-trader/core/backtest/PriceSeries"
import { resolve } from "@vault-trader/core/strategy/StrategyInputs"
import * as Sandbox from "@vault-trader/workers/strategy/Sandbox"
import * as StrategyFolder from "@vault-trader/workers/strategy/StrategyFolder"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Path from "node:path"

const folder = Path.join(import.meta.dirname, "../../../app/strategies")
const [quote, weth, wbtc] = [tokenOf("USDC", 0, 6), tokenOf("WETH", 1), tokenOf("WBTC", 2)]

const seriesOf = (priceAt: (index: number) => number) =>
  Array.from({ length: 80 }, (_, index) => {
    const price = BigInt(Math.round(priceAt(index) * 1e6)) * 10n ** 12n
    return { time: index * 3_600, open: price, high: price, low: price, close: price, side: null }
  })

/** Prices that swing, and prices that rise. */
const series = {
  WETH: seriesOf((index) => 3000 + 600 * Math.sin(index / 6)),
  WBTC: seriesOf((index) => 60_000 + 200 * index)
}

for (
  const [name, given] of [
    ["ema-cross", { fast: "3", slow: "8" }],
    ["rsi", { length: "5" }],
    ["grid", { step: "3" }],
    ["volatility-target", { window: "10", volatility: "20" }],
    ["momentum-rotation", { window: "6" }]
  ] as const
) {
  it.live(`the example ${name} trades in a backtest, and decides the same in a fresh sandbox`, () =>
    Effect.scoped(Effect.gen(function*() {
      const assets = name === "momentum-rotation" ? [weth, wbtc] : [weth]
      const listed = assets.map((token) => ({ token, candles: series[token.symbol as keyof typeof series] }))
      const { bars } = alignBars(listed, quote)
      const file = yield* StrategyFolder.read(folder, name)
      const sandbox = yield* Sandbox.open(file)
      const outcome = yield* StrategyBacktest.run(
        {
          bars,
          candles: Object.fromEntries(listed.map(({ candles, token }) => [
            token.symbol,
            StrategyBacktest.candlesAt(candles, bars)
          ]))
        },
        {
          terms: {
            ...{ assets, quote, tolerance: 1, slippage: 1, maxUsd18: 10n ** 23n, minTradeUsd18: 10n ** 18n }
          },
          history: sandbox.description.history,
          inputs: Result.getOrThrow(resolve(sandbox.description, given)),
          costs: { fee: 0.1, slippage: 0.1 },
          start: new Map([[quote.address, 10_000n * 10n ** 6n]])
        },
        sandbox.decide
      )
      const sides = new Set(outcome.fills.map(({ from }) => from.symbol === quote.symbol ? "buy" : "sell"))
      assert.deepStrictEqual([...sides].sort(), ["buy", "sell"])
      const fresh = yield* Sandbox.open(file)
      yield* StrategyBacktest.checkRepeatable(outcome, fresh.decide)
    })))
}
