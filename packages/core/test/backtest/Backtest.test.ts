import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as FastCheck from "fast-check"
import type { Candle } from "../../src/backtest/Candle.ts"
import { figuresOf, tradedOf } from "../../src/backtest/BacktestMetrics.ts"
import { percentOf } from "../../src/performance/ReturnMetrics.ts"
import * as IndexBacktest from "../../src/backtest/IndexBacktest.ts"
import { alignBars, type Bar, dollar, sidesBy, sidesIn, tokenOf } from "../../src/backtest/PriceSeries.ts"
import { type Costs, type Fill, heldOf, type Portfolio, valueOf, worth } from "../../src/backtest/Portfolio.ts"
import { holdEquity, type Outcome } from "../../src/backtest/Replay.ts"
import * as ThresholdBacktest from "../../src/backtest/ThresholdBacktest.ts"
import { sides } from "../../src/threshold-bot/ThresholdBot.ts"

const [usdc, weth, wbtc, inverse] = [
  tokenOf("USDC", 0, 6),
  tokenOf("WETH", 1),
  tokenOf("WBTC", 2),
  tokenOf("WETH1S", 3)
]
const tokens = [usdc, weth, wbtc, inverse]
const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6)) * 10n ** 12n
const free: Costs = { fee: 0, slippage: 0 }
const holding = (...amounts: ReadonlyArray<readonly [typeof usdc, bigint]>): Portfolio =>
  new Map(amounts.map(([token, amount]) => [token.address, amount]))
const million = holding([usdc, 10n ** 12n])

const candle = (time: number, open: bigint, close: bigint): Candle => ({
  time,
  open,
  close,
  high: open > close ? open : close,
  low: open < close ? open : close,
  side: null
})
/** Builds bars of one hour whose base opens and closes at these prices in dollars. */
const barsOf = (...prices: ReadonlyArray<readonly [number, number]>) =>
  alignBars([{
    token: weth,
    candles: prices.map(([open, close], index) => candle(index * 3_600, usd(open), usd(close)))
  }], usdc).bars

const threshold = (
  more: Partial<ThresholdBacktest.Setup> & { readonly by?: Partial<ThresholdBacktest.Setup["terms"]> },
  bars: ReadonlyArray<Bar>
) => ({
  ...{ base: weth, quote: usdc, inverse: null, costs: free, start: million, sides: bars.map(() => "long" as const) },
  ...more,
  terms: { threshold: 1, share: 100, maxUsd: BigDecimal.fromStringUnsafe("10000000"), ...more.by }
})

describe("a threshold bot in a backtest", () => {
  it("decides at the close and trades at the next open, at that price less fee and slippage", () => {
    const bars = barsOf([90, 100], [125, 130], [130, 140])
    const { equity, fills } = ThresholdBacktest.run(bars, threshold({ costs: { fee: 0.1, slippage: 0.5 } }, bars))
    assert.strictEqual(fills.length, 1)
    const [{ bought, cost18, sold, time, usd18 }] = fills as [Fill]
    assert.deepStrictEqual([time, sold, usd18], [3_600, 10n ** 12n, usd(1_000_000)])
    // 1,000,000 / 125 × 0.999 × 0.995
    assert.strictEqual(bought, 7_952_040_000_000_000_000_000n)
    assert.strictEqual(cost18, usd(1_000_000 - 7_952.04 * 125))
    assert.deepStrictEqual(equity.map(({ usd18: each }) => each), [
      usd(1_000_000),
      usd(7_952.04 * 130),
      usd(7_952.04 * 140)
    ])
  })

  it("does nothing in the last bar: there is no open to trade at", () => {
    const bars = barsOf([1, 1], [1, 1])
    assert.deepStrictEqual(ThresholdBacktest.run(bars, threshold({ sides: ["neutral", "long"] }, bars)).fills, [])
  })

  it("trades when its side changes, and does nothing when its side is hold", () => {
    const bars = barsOf([1, 1], [1, 1], [1, 1], [1, 1], [1, 1])
    const { fills } = ThresholdBacktest.run(
      bars,
      threshold({ sides: ["hold", "long", "hold", "neutral", "neutral"] }, bars)
    )
    assert.deepStrictEqual(fills.map(({ from, time, to }) => [time, from.symbol, to.symbol]), [
      [7_200, "USDC", "WETH"],
      [14_400, "WETH", "USDC"]
    ])
  })

  it("goes short when the inverse token has prices, and does nothing when it has none", () => {
    const bars = alignBars(
      [weth, inverse].map((token) => ({ token, candles: [candle(0, usd(5), usd(5)), candle(1, usd(5), usd(5))] })),
      usdc
    ).bars
    const short = { sides: ["short", "short"] as const }
    assert.deepStrictEqual(
      ThresholdBacktest.run(bars, threshold({ ...short, inverse }, bars)).fills.map(({ to }) => to.symbol),
      ["WETH1S"]
    )
    assert.deepStrictEqual(ThresholdBacktest.run(bars, threshold(short, bars)).fills, [])
  })

  it("trades its cap per bar until it has reached its side", () => {
    const bars = barsOf([100, 100], [100, 100], [100, 100], [100, 100], [100, 100])
    const { fills } = ThresholdBacktest.run(
      bars,
      threshold({ by: { maxUsd: BigDecimal.fromStringUnsafe("400000") } }, bars)
    )
    assert.deepStrictEqual(fills.map(({ usd18 }) => usd18), [usd(400_000), usd(400_000), usd(200_000)])
  })
})

describe("signals", () => {
  it("take effect at the first close whose trade is at or after their time, the last of several at once, and not after the end", () => {
    const at = (time: number, side: (typeof sides)[number]) => ({ time, side })
    assert.deepStrictEqual(
      sidesBy([0, 10, 20, 30], "hold", [at(10, "long"), at(11, "short"), at(12, "neutral"), at(31, "long")]),
      ["long", "neutral", "neutral", "neutral"]
    )
    assert.deepStrictEqual(sidesBy([0, 10, 20], "long", [at(-5, "neutral")]), ["neutral", "neutral", "neutral"])
  })

  it("in a column take effect at their bar's close", () => {
    const column = [null, "long", null, "neutral"] as const
    assert.deepStrictEqual(sidesIn(column.map((side, index) => ({ ...candle(index, 1n, 1n), side })), "hold"), [
      "hold",
      "long",
      "long",
      "neutral"
    ])
  })
})

const target = (token: typeof usdc, weight: number) => ({ token, weight, tolerance: null })
const index = (
  more: Partial<IndexBacktest.Setup> & { readonly by?: Partial<IndexBacktest.Setup["order"]> } = {}
): IndexBacktest.Setup => ({
  ...{ tokens: [usdc, weth, wbtc], costs: free, start: million, intervalSeconds: 3_600 },
  ...more,
  order: {
    ...{ targets: [target(weth, 40), target(wbtc, 40), target(usdc, 20)], quote: usdc, tolerance: 5, slippage: 1 },
    ...{ maxUsd18: usd(10_000_000), minTradeUsd18: dollar, ...more.by }
  }
})

describe("an index bot in a backtest", () => {
  const both = (prices: ReadonlyArray<readonly [number, number]>, step = 3_600) =>
    alignBars(
      [weth, wbtc].map((token, place) => ({
        token,
        candles: prices.map((pair, at) => candle(at * step, usd(pair[place]!), usd(pair[place]!)))
      })),
      usdc
    ).bars

  it("buys its weights, and rebalances when one leaves its tolerance", () => {
    const bars = both([[10, 20], [10, 20], [10, 20], [20, 20], [20, 20]])
    const { equity, fills } = IndexBacktest.run(bars, index())
    assert.deepStrictEqual(fills.map(({ from, time, to, usd18 }) => [time, from.symbol, to.symbol, usd18]), [
      [3_600, "USDC", "WETH", usd(400_000)],
      [3_600, "USDC", "WBTC", usd(400_000)],
      // The target of WETH is 560,000 of 1,400,000, and 800,000 is held; the other assets are below target.
      [14_400, "WETH", "USDC", usd(240_000)],
      [14_400, "USDC", "WBTC", usd(160_000)]
    ])
    assert.strictEqual(equity.at(-1)?.usd18, usd(1_400_000))
  })

  it("checks no more often than its interval, and trades at the prices of the open", () => {
    const hours = (
      intervalSeconds: number,
      ...prices: ReadonlyArray<readonly [number, number]>
    ) => [...new Set(IndexBacktest.run(both(prices), index({ intervalSeconds })).fills.map(({ time }) => time / 3_600))]
    const rise = [[10, 20], [10, 20], [40, 20], [40, 20], [40, 20]] as const
    assert.deepStrictEqual([hours(3_600, ...rise), hours(3 * 3_600, ...rise), hours(4 * 3_600, ...rise)], [[1, 3], [
      1,
      4
    ], [1]])
    // Everything is out of tolerance at the close, and nothing is at the next open.
    assert.deepStrictEqual(hours(3_600, [10, 20], [10, 20], [40, 20], [10, 20], [10, 20]), [1])
  })

  it("skips bars that some of its assets lack, and counts them", () => {
    const listed = [{ token: weth, candles: [candle(0, 1n, 1n), candle(1, 1n, 1n), candle(3, 1n, 1n)] }, {
      token: wbtc,
      candles: [candle(1, 1n, 1n), candle(2, 1n, 1n), candle(3, 1n, 1n)]
    }]
    const { bars, left } = alignBars(listed, usdc)
    assert.deepStrictEqual([bars.map(({ time }) => time), left], [[1, 3], 2])
  })
})

const price = FastCheck.integer({ min: 1, max: 10 ** 9 }).map((micro) => usd(micro / 1e4))
const walk = (length: number) =>
  FastCheck.array(FastCheck.tuple(price, price), { minLength: length, maxLength: length })
const series = FastCheck.integer({ min: 2, max: 12 }).chain((length) =>
  FastCheck.tuple(walk(length), walk(length), walk(length))
)
  .map((walks) =>
    alignBars(
      walks.map((prices, place) => ({
        token: tokens[place + 1]!,
        candles: prices.map(([open, close], at) => candle(at * 60, open, close))
      })),
      usdc
    ).bars
  )
const still = FastCheck.tuple(price, price, price, FastCheck.integer({ min: 2, max: 8 }))
  .map(([a, b, c, length]) =>
    alignBars(
      [a, b, c].map((each, place) => ({
        token: tokens[place + 1]!,
        candles: Array.from({ length }, (_, at) => candle(at * 60, each, each))
      })),
      usdc
    ).bars
  )
const percent = (least: number, most: number) =>
  FastCheck.integer({ min: least * 100, max: most * 100 }).map((value) => value / 100)
const costs = FastCheck.record({ fee: percent(0, 3), slippage: percent(0, 5) })
const portfolio = FastCheck.tuple(
  ...tokens.map(({ decimals }) => FastCheck.bigInt({ min: 0n, max: 10n ** BigInt(decimals + 6) }))
)
  .map((amounts) => holding(...amounts.map((amount, place) => [tokens[place]!, amount] as const)))

interface Case {
  readonly bars: ReadonlyArray<Bar>
  /** The maximum value of the trades of one moment, USD. */
  readonly most: bigint
  readonly costs: Costs
  readonly run: (bars: ReadonlyArray<Bar>) => Outcome
  readonly outcome: Outcome
}
const caseOf = (bars: ReadonlyArray<Bar>, run: Case["run"], bounds: Pick<Case, "most" | "costs">): Case => ({
  bars,
  run,
  outcome: run(bars),
  ...bounds
})

const thresholds = (bars: typeof series) =>
  FastCheck.record({
    bars,
    setup: FastCheck.record({
      terms: FastCheck.record({
        threshold: percent(0, 100),
        share: percent(0.01, 100),
        maxUsd: FastCheck.integer({ min: 1, max: 10 ** 9 }).map((cents) => BigDecimal.make(BigInt(cents), 2))
      }),
      sides: FastCheck.array(FastCheck.constantFrom(...sides), { minLength: 12, maxLength: 12 }),
      costs,
      start: portfolio
    }).map((setup): ThresholdBacktest.Setup => ({ ...setup, base: weth, quote: usdc, inverse }))
  }).map(({ bars: played, setup }) =>
    caseOf(played, (some) => ThresholdBacktest.run(some, setup), {
      most: BigDecimal.scale(setup.terms.maxUsd, 18).value,
      costs: setup.costs
    })
  )
const indexes = (bars: typeof series) =>
  FastCheck.record({
    bars,
    weights: FastCheck.tuple(FastCheck.integer({ min: 1, max: 50 }), FastCheck.integer({ min: 1, max: 49 })),
    by: FastCheck.record({
      tolerance: percent(0, 20),
      maxUsd18: FastCheck.bigInt({ min: 1n, max: 10n ** 25n }),
      minTradeUsd18: FastCheck.bigInt({ min: 0n, max: 10n ** 21n })
    }),
    intervalSeconds: FastCheck.integer({ min: 60, max: 200 }),
    costs,
    start: portfolio
  }).map(({ bars: played, by, weights: [first, second], ...rest }) => {
    const targets = [target(weth, first), target(wbtc, second), target(usdc, 100 - first - second)]
    const setup = index({ ...rest, tokens, by: { ...by, targets } })
    return caseOf(played, (some) => IndexBacktest.run(some, setup), { most: by.maxUsd18, costs: rest.costs })
  })

/** The maximum rounding loss of a trade: one smallest unit of each token, and one rounding. */
const unit = (bar: Bar) =>
  tokens.reduce((sum, token) => sum + (bar.opens.get(token.address) ?? 0n) / 10n ** BigInt(token.decimals) + 2n, 0n)

for (const [name, cases] of [["threshold", thresholds], ["index", indexes]] as const) {
  describe(`any backtest of a ${name} bot`, () => {
    const holds = (bars: typeof series, law: (one: Case) => void) =>
      FastCheck.assert(FastCheck.property(cases(bars), law), { numRuns: 400 })

    it("creates no value and loses only the costs of its trades", () =>
      holds(series, ({ bars, costs: each, outcome: { equity, fills } }) => {
        bars.slice(1).forEach((bar, at) => {
          const here = fills.filter(({ time }) => time === bar.time)
          const [before, after] = [equity[at]!.portfolio, equity[at + 1]!.portfolio]
          const lost = valueOf(before, tokens, bar.opens) - valueOf(after, tokens, bar.opens)
          const reported = here.reduce((sum, { cost18 }) => sum + cost18, 0n)
          const slack = unit(bar) * BigInt(here.length + 1)
          assert.isTrue(lost - reported <= slack && reported - lost <= slack, `${lost} lost, ${reported} reported`)
          for (const { cost18, usd18 } of here) {
            const rate = 1 - (1 - each.fee / 100) * (1 - each.slippage / 100)
            const wanted = usd18 * BigInt(Math.round(rate * 1e12)) / 10n ** 12n
            assert.isTrue(
              cost18 >= wanted - usd18 / 10n ** 9n - slack && cost18 <= wanted + usd18 / 10n ** 9n + slack,
              `cost ${cost18}, wanted ${wanted}`
            )
          }
        })
      }))

    it("never has a negative balance, and keeps within its cap", () =>
      holds(series, ({ bars, most, outcome: { equity, fills } }) => {
        for (const { portfolio: each } of equity) assert.isTrue([...each.values()].every((amount) => amount >= 0n))
        for (const { sold } of fills) assert.isTrue(sold > 0n)
        for (const { time } of bars) {
          assert.isTrue(fills.filter((fill) => fill.time === time).reduce((sum, { usd18 }) => sum + usd18, 0n) <= most)
        }
      }))

    it("does not use future prices: fewer bars, or another last close, give the same trades before", () =>
      holds(series, ({ bars, outcome: { fills }, run }) => {
        for (let length = 1; length <= bars.length; length++) {
          const [last, ...before] = bars.slice(0, length).reverse()
          const closes = new Map(
            [...last!.closes].map(([address, close]) => [address, address === usdc.address ? close : close * 3n])
          )
          const there = fills.filter(({ time }) => time <= last!.time)
          assert.deepStrictEqual(run([...before.reverse(), { ...last!, closes }]).fills, there)
        }
      }))
  })
}

describe("a backtest over prices that do not move", () => {
  it("of a threshold bot trades once to its side, then never again", () =>
    FastCheck.assert(
      FastCheck.property(
        still,
        FastCheck.constantFrom("long" as const, "neutral" as const),
        portfolio,
        costs,
        (bars, side, start, each) => {
          const setup = threshold({
            sides: bars.map(() => side),
            start: holding([weth, heldOf(start, weth)], [usdc, heldOf(start, usdc)]),
            costs: each,
            by: { maxUsd: BigDecimal.make(1n, -30) }
          }, bars)
          const { equity, fills } = ThresholdBacktest.run(bars, setup)
          assert.isAtMost(fills.length, 1)
          assert.deepStrictEqual(ThresholdBacktest.run(bars, { ...setup, start: equity.at(-1)!.portfolio }).fills, [])
        }
      )
    ))

  it("of an index bot trades in its first run, then never again", () =>
    FastCheck.assert(FastCheck.property(still, (bars) => {
      const setup = index({ costs: { fee: 0.1, slippage: 0.5 }, intervalSeconds: 60 })
      const { equity, fills } = IndexBacktest.run(bars, setup)
      assert.deepStrictEqual([...new Set(fills.map(({ time }) => time))], [60])
      assert.deepStrictEqual(IndexBacktest.run(bars, { ...setup, start: equity.at(-1)!.portfolio }).fills, [])
    })))
})

describe("the figures of a backtest", () => {
  const of = (...dollars: ReadonlyArray<number>) =>
    dollars.map((each, time) => ({ time, usd18: usd(each), portfolio: million }))

  it("include the largest drawdown and its times", () => {
    assert.deepStrictEqual(figuresOf(of(100, 120, 90, 150, 120, 160)).drawdown, { percent: 25, from: 1, to: 2 })
    assert.deepStrictEqual(figuresOf(of(1, 2, 3)).drawdown, { percent: 0, from: 0, to: 0 })
  })

  it("include the profit relative to the start, turnover and costs", () => {
    assert.deepInclude(figuresOf(of(100, 120, 90)), {
      start18: usd(100),
      end18: usd(90),
      pnl18: -usd(10),
      pnlPercent: -10
    })
    const fill: Fill = {
      time: 0,
      from: usdc,
      to: weth,
      sold: 1n,
      bought: 1n,
      usd18: usd(10),
      cost18: usd(1),
      reason: ""
    }
    assert.deepStrictEqual(tradedOf([fill, fill]), { trades: 2, turnover18: usd(20), costs18: usd(2) })
  })

  it("of holding the base equal the ratio of its prices", () =>
    FastCheck.assert(FastCheck.property(series, (bars) => {
      const [first, last] = [bars[0]!.closes, bars.at(-1)!.closes]
      const base = holding([weth, worth(weth, usd(1_000_000), first)])
      const { pnlPercent } = figuresOf(holdEquity(bars, [weth], base))
      const ratio = percentOf(
        (last.get(weth.address) ?? 0n) - (first.get(weth.address) ?? 0n),
        first.get(weth.address) ?? 0n
      )
      assert.isAtMost(Math.abs(pnlPercent - ratio), Math.max(1e-3, Math.abs(ratio) * 1e-9))
    })))
})
