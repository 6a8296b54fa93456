import { assert, describe, it } from "@effect/vitest"
import { statisticsOf, statisticsOfSeries } from "../../src/performance/ReturnMetrics.ts"
import { one } from "./Samples.ts"

describe("statistics", () => {
  it("annualise mean and deviation of returns, and count falls for Sortino", () => {
    // 10 × +2 %, 10 × −1 %: mean 0.5 %; deviation √(20 × 1.5² / 19) % = 1.538968 %; downside √(10 × 1² / 20) % = 0.707107 %
    // Daily: √365 = 19.104973. Sharpe 0.5 / 1.538968 × 19.104973 = 6.2071; Sortino 0.5 / 0.707107 × 19.104973 = 13.5093
    const returns = Array.from({ length: 20 }, (_, n) => n % 2 === 0 ? 0.02 : -0.01)
    const { annualisation, reason, sharpe, sortino, volatility } = statisticsOf(returns, 86_400)
    assert.strictEqual(annualisation, 19.105)
    assert.approximately(sharpe!, 6.2071, 1e-4)
    assert.approximately(sortino!, 13.5093, 1e-4)
    assert.approximately(volatility!, 29.402, 1e-3)
    assert.strictEqual(reason, null)
  })

  it("are null with the reason where a divisor is 0 or there are too few returns", () => {
    assert.deepInclude(statisticsOf(Array.from({ length: 30 }, () => 0.01), 86_400), {
      ...{ sharpe: null, sortino: null, reason: "All returns are the same." }
    })
    assert.strictEqual(statisticsOf(Array.from({ length: 30 }, (_, n) => n / 100), 86_400).sortino, null)
    assert.match(statisticsOf([0.1], 86_400).reason ?? "", /is 1 return; statistics need 20/)
  })

  it("of a series leave out what follows a value of 0", () => {
    assert.strictEqual(
      statisticsOfSeries([{ time: 0, value: one }, { time: 1, value: 0n }, { time: 2, value: one }], 1).returns,
      1
    )
  })
})
