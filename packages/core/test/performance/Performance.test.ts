import { assert, describe, it } from "@effect/vitest"
import { tradesOf, type LedgerRow } from "../../src/performance/LedgerTrade.ts"
import { performanceOf, type PerformanceInput } from "../../src/performance/PerformanceReport.ts"
import { portfolioOf } from "../../src/performance/PortfolioReport.ts"
import { seriesOf, thinned } from "../../src/performance/ValueSeries.ts"
import type { SampleDetails, ValuePoint } from "../../src/performance/ValueSample.ts"
import { at, e18, holdings, hour, one, start, usdc, weth } from "./Samples.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const wallet = "0x90f79bf6eb2c4f870365e785982e1f101e93b906"
const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}` as const

const report = (
  points: ReadonlyArray<ValuePoint>,
  given: Partial<PerformanceInput> & { readonly held?: ReadonlyArray<SampleDetails> } = {}
) => {
  const { held = [], ...rest } = given
  const now = new Date(points.at(-1)?.at ?? start)
  return performanceOf({
    ...{ network: "base", pool, now, period: { from: null, to: now }, series: seriesOf(points, []), trades: [] },
    ...{ benchmark: undefined, lots: "fifo", points: 400 },
    details: new Map(held.map((details, index) => [points[index]!.slot.getTime(), details])),
    ...rest
  })
}

const nothingMoved = {
  ...{ soldAsset: null, soldSymbol: null, soldAmount: null, soldRaw: null, sold18: null },
  ...{ boughtAsset: null, boughtSymbol: null, boughtAmount: null, boughtRaw: null, bought18: null, quotedRaw: null },
  ...{ loan: null, loanAsset: null, loanSymbol: null, loanAmount: null, loanRaw: null }
}

const row = (hours: number, given: Partial<LedgerRow>): LedgerRow => ({
  ...{ id: `01936f5a-0000-7000-8000-${hours.toString().padStart(12, "0")}`, at: new Date(start + hours * hour) },
  ...{ succeeded: true, txHash: hash(Math.round(hours * 10)), source: "caller", sourceId: null, gas: 0n, charge18: 0n },
  ...{ nativePrice18: null, ...nothingMoved, ...given }
})

/** Buys or sells ether. `quoted`: what the venue quoted of the bought asset. */
const trade = (
  hours: number,
  side: "buy" | "sell",
  { dollars, ether, quoted, sold, bought, ...more }: {
    readonly dollars: number
    readonly ether: number
    readonly quoted: number
    readonly sold: number
    readonly bought: number
  } & Partial<LedgerRow>
): LedgerRow => {
  const raw = { USDC: BigInt(dollars * 1e6), WETH: e18(ether) }
  const legs = {
    USDC: { asset: usdc, symbol: "USDC", amount: String(dollars), raw: raw.USDC, decimals: 6 },
    WETH: { asset: weth, symbol: "WETH", amount: String(ether), raw: raw.WETH, decimals: 18 }
  }
  const [out, into] = side === "buy" ? [legs.USDC, legs.WETH] : [legs.WETH, legs.USDC]
  return row(hours, {
    ...{ soldAsset: out.asset, soldSymbol: out.symbol, soldAmount: out.amount, soldRaw: out.raw, sold18: e18(sold) },
    ...{ boughtAsset: into.asset, boughtSymbol: into.symbol, boughtAmount: into.amount, boughtRaw: into.raw },
    ...{
      bought18: e18(bought),
      quotedRaw: BigInt(Math.round(quoted * 1e6)) * 10n ** BigInt(into.decimals) / 1_000_000n
    },
    ...more
  })
}

describe("the performance of a vault with known trades, deposits and fees", () => {
  /*
   * h  event                         USDC    WETH  price   value  supply  owed  share price
   * 0  deposit of 10,000           10,000    0     2,000  10,000  10,000     0  10,000 / 10,000          = 1
   * 1  buys 2 WETH for 4,000        6,000    2     2,000  10,000  10,000     0  10,000 / 10,000          = 1
   * 2  the price rises to 2,500     6,000    2     2,500  11,000  10,000   100  11,000 / 10,100          = 1.089108910891089108
   * 3  the fee is minted,           6,000    2     2,500  11,000  10,100     0  11,000 / 10,100          = 1.089108910891089108
   * 4  deposit of 1,100            7,100    2     2,500  12,100  11,110     0  12,100 / 11,110          = 1.089108910891089108
   * 5  sells 1 WETH for 2,490      9,590    1     2,500  12,090  11,110     0  12,090 / 11,110          = 1.088208820882088208
   * 6  withdrawal of 1,111 shares: 8,381    1     2,500  10,881   9,999     0  10,881 / 9,999           = 1.088208820882088208
   *
   * Return: 1.088208820882088208 − 1 = 8.8208 %. No deposit, withdrawal or mint of fees changed the share price.
   * Before fees: only interval 1–2 accrued some (100 shares): 11,000 / 10,000 = 1.1; then 2–3 … as above:
   *   1.1 × 1.088208820882088208 / 1.089108910891089108 = 1.09909090… = 9.9090 %
   * Profit: interval 1–2: 10,000 × 0.089108910891089108 = 891.08910891089108
   *         interval 4–5: 11,110 × −0.000900090009…     = −9.999999999… = −10
   *         sum 881.089108910891…
   * Flows: 0–1: 0, 2–3: (100 − 100 minted) = 0, 3–4: 1,010 × 1.0891089… = 1,100, 5–6: −1,111 × 1.0882088… = −1,209
   *        sum −109
   * Turnover: 4,000 + 2,500 = 6,500; slippage: (4,000 − 4,000) + (2,500 − 2,490) = 10, 0.1538 %
   * Against quotes: bought 2 of 2 quoted (0 %, weight 4,000), 2,490 of 2,500 (0.4 %, weight 2,500): 0.1538 %
   * Gas: 0.001 + 0.002 ETH at 2,000 and 2,500: 2 + 5 = 7; charges 0.1 + 0.1
   * After gas: 881.089108910891… − 7.2 = 873.889108910891…
   * Lots (FIFO): 2 WETH for 4,000; 1 sold for 2,490, cost 2,000: realised 490. USDC: sold 4,000 of the 10,000 that the
   *   first sample shows at $1: proceeds 4,000, cost 4,000: 0. Held: 1 WETH, worth 2,500, cost 2,000: 500; USDC: 0.
   */
  const points = [
    at(0, { value: 10_000, supply: 10_000 }),
    at(1, { value: 10_000, supply: 10_000 }),
    at(2, { value: 11_000, supply: 10_000, owed: 100 }),
    at(3, { value: 11_000, supply: 10_100 }),
    at(4, { value: 12_100, supply: 11_110 }),
    at(5, { value: 12_090, supply: 11_110 }),
    at(6, { value: 10_881, supply: 9_999 })
  ]
  const held = [
    holdings(10_000, 0, 2_000),
    holdings(6_000, 2, 2_000),
    holdings(6_000, 2, 2_500),
    holdings(6_000, 2, 2_500),
    holdings(7_100, 2, 2_500),
    holdings(9_590, 1, 2_500),
    holdings(8_381, 1, 2_500)
  ]
  const trades = tradesOf([
    trade(0.5, "buy", {
      ...{ dollars: 4_000, ether: 2, quoted: 2, sold: 4_000, bought: 4_000, gas: e18(0.001), charge18: e18(0.1) },
      ...{ nativePrice18: e18(2_000), source: "threshold_bot", sourceId: "WETH-USDC" }
    }),
    trade(4.5, "sell", {
      ...{ dollars: 2_490, ether: 1, quoted: 2_500, sold: 2_500, bought: 2_490, gas: e18(0.002), charge18: e18(0.1) },
      ...{ nativePrice18: e18(2_500), source: "order", sourceId: "01936f5a-0000-7000-8000-00000000000a" }
    }),
    row(4.6, { succeeded: false, txHash: null })
  ])
  // After the last intent, so that the period contains it.
  const period = { from: null, to: new Date(start + 7 * hour) }
  const data = report(points, { held, trades, period, now: new Date(start + 7 * hour) })

  it("has the return by the share price, after and before fees", () => {
    assert.deepInclude(data, {
      ...{ start_value_usd: "10000", end_value_usd: "10881", start_share_price: "1" },
      ...{ end_share_price: "1.088208820882088208", return_percent: 8.8208, return_before_fees_percent: 9.909 }
    })
  })

  it("counts no deposit, withdrawal or mint as profit", () => {
    assert.approximately(Number(data.pnl_usd), 881.0891089108911, 1e-9)
    assert.approximately(Number(data.net_flows_usd), -109, 1e-9)
    assert.strictEqual(data.fees.minted_shares, "100")
    assert.approximately(Number(data.fees.minted_usd), 108.9108910891, 1e-9)
    assert.approximately(Number(data.fees.accrued_usd), 108.9108910891, 1e-9)
    assert.strictEqual(data.fees.owed_shares, "0")
  })

  it("has turnover, slippage against oracle and quote, gas and charges of all sources", () => {
    assert.deepStrictEqual(data.trading, {
      ...{ trades: 2, failed: 1, turnover_usd: "6500", slippage_oracle_usd: "10", slippage_oracle_percent: 0.1538 },
      ...{ slippage_quote_percent: 0.1538, gas_native: "0.003", gas_usd: "7", charges_usd: "0.2", realised_usd: "490" }
    })
    assert.approximately(Number(data.pnl_after_gas_usd), 873.8891089108911, 1e-9)
  })

  it("has the same of each bot and order", () => {
    assert.deepStrictEqual(
      data.sources.map(({ gas_usd, kind, realised_usd, trades: count, turnover_usd }) => ({
        ...{ gas_usd, kind, realised_usd, count, turnover_usd }
      })),
      [
        { gas_usd: "2", kind: "threshold_bot", realised_usd: "0", count: 1, turnover_usd: "4000" },
        { gas_usd: "5", kind: "order", realised_usd: "490", count: 1, turnover_usd: "2500" },
        { gas_usd: "0", kind: "caller", realised_usd: null, count: 0, turnover_usd: "0" }
      ]
    )
  })

  it("has realised and unrealised profit by lots", () => {
    assert.deepInclude(data, { realised_usd: "490", unrealised_usd: "500" })
  })

  it("attributes the profit to assets, and the rest to trades and fees", () => {
    // WETH: 2 × (2,500 − 2,000) = 1,000, 10 % of the value at the start; the rest: 881.089… − 1,000.
    const [ether, dollars, rest] = data.attribution
    assert.deepInclude(ether, { symbol: "WETH", pnl_usd: "1000", contribution_percent: 10 })
    assert.deepInclude(dollars, { symbol: "USDC", pnl_usd: "0" })
    assert.approximately(Number(rest!.pnl_usd), -118.9108910891089, 1e-9)
    assert.strictEqual(data.attribution.length, 3)
  })

  it("compares with holding the start allocation, and with an asset that the caller names", () => {
    const { benchmarks } = report(points, { held, trades, benchmark: "weth" })
    assert.deepStrictEqual(benchmarks.map(({ curve: _, ...benchmark }) => benchmark), [
      { name: "start allocation", reason: null, return_percent: 0, excess_percent: 8.8208 },
      { name: "weth", reason: null, return_percent: 25, excess_percent: -16.1792 }
    ])
    // WETH rises from 2,000 to 2,500 within the second hour; the start allocation has none.
    assert.deepStrictEqual(
      benchmarks.map(({ curve }) => curve.map(({ return_percent }) => return_percent)),
      [[0, 0, 0, 0, 0, 0, 0], [0, 0, 25, 25, 25, 25, 25]]
    )
    assert.deepStrictEqual(benchmarks[1]?.curve.map(({ time }) => time), data.curve.map(({ time }) => time))
    const [, unknown] = report(points, { held, benchmark: "WBTC" }).benchmarks
    assert.strictEqual(unknown?.return_percent, null)
    assert.match(unknown?.reason ?? "", /PERFORMANCE_BENCHMARKS/)
  })

  it("leaves a benchmark's curve empty where its price was not sampled", () => {
    const gone = held.map((details, index) => index === 3 ? holdings(6_000, 2, null) : details)
    const [, ether] = report(points, { held: gone, benchmark: "weth" }).benchmarks
    assert.deepStrictEqual(ether?.curve.map(({ return_percent }) => return_percent), [0, 0, 25, null, 25, 25, 25])
    assert.strictEqual(ether?.return_percent, 25)
  })

  it("has the weights of what the vault held, the largest first, of at most a hundred samples", () => {
    assert.deepStrictEqual(
      data.allocation.map(({ weights }) => weights.map(({ percent, symbol }) => `${symbol} ${percent}`)).slice(0, 3),
      [["USDC 100"], ["USDC 60", "WETH 40"], ["USDC 54.5454", "WETH 45.4545"]]
    )
    assert.deepStrictEqual(data.allocation.map(({ time }) => time), data.curve.map(({ time }) => time))
    const many = Array.from({ length: 300 }, (_, index) => at(index, { value: 10_000, supply: 10_000 }))
    const { allocation } = report(many, { held: many.map(() => holdings(10_000, 0, 2_000)) })
    assert.strictEqual(allocation.length, 100)
    assert.strictEqual(allocation.at(-1)?.time, many.at(-1)?.at.toISOString())
  })

  it("has the exposure outside of stablecoins at the end and the largest fall of the share price", () => {
    // 2,500 of 10,881 is 22.9758 %; (1.0891089… − 1.0882088…) / 1.0891089… = 0.0826 %
    assert.strictEqual(data.exposure.end_percent, 22.9759)
    assert.strictEqual(data.drawdown?.percent, 0.0826)
  })

  it("has no statistics of so few returns, and says why", () => {
    assert.deepInclude(data.statistics, { returns: 6, period_seconds: 3_600, sharpe: null, sortino: null })
    assert.strictEqual(data.statistics.reason, "There are 6 returns; statistics need 20.")
  })

  it("counts a deposit and a withdrawal in the middle of an interval at its ends only", () => {
    const moved = report([
      at(0, { value: 1_000, supply: 1_000 }),
      // 500 came in and 200 left at a share price between the two.
      at(1, { value: 1_430, supply: 1_300 })
    ])
    assert.deepInclude(moved, { return_percent: 10, pnl_usd: "100", net_flows_usd: "330" })
  })
})

describe("a curve", () => {
  it("has gaps where slots have no sample, with the reason that was stored", () => {
    const points = [
      at(0, { value: 100, supply: 100 }),
      at(1, { value: 100, supply: 100 }),
      at(4, { value: 120, supply: 100 }),
      at(5, { value: 120, supply: 100 }),
      at(8, { value: 120, supply: 100 })
    ]
    const series = seriesOf(points, [{ slot: new Date(start + 2 * hour), reason: "No price." }])
    const data = report(points, { series })
    assert.deepStrictEqual(data.curve.map(({ gap }) => gap === null ? null : gap.slice(0, 9)), [
      ...[null, null, "No price.", null, "No sample"]
    ])
    assert.deepStrictEqual(data.coverage.gaps.map(({ from, to }) => [from.slice(11, 16), to.slice(11, 16)]), [
      ["01:00", "04:00"],
      ["05:00", "08:00"]
    ])
    assert.strictEqual(data.coverage.covered_percent, 25)
    // The two known prices are facts; no return of an hour is made up between them.
    assert.strictEqual(data.return_percent, 20)
    assert.strictEqual(data.statistics.returns, 2)
  })

  it("keeps its ends and its gaps when it is thinned", () => {
    const points = Array.from({ length: 500 }, (_, n) => at(n < 250 ? n : n + 5, { value: 100 + n, supply: 100 }))
    const thin = thinned(seriesOf(points, []), 20)
    assert.isAtMost(thin.length, 20)
    assert.deepStrictEqual(thin[0]!.slot, points[0]!.slot)
    assert.deepStrictEqual(thin.at(-1)!.slot, points.at(-1)!.slot)
    assert.deepStrictEqual(thin.filter(({ gap }) => gap !== null).map(({ slot }) => slot), [points[250]!.slot])
  })

  it("of a new vault without samples has no figures, and says why", () => {
    const none = report([])
    assert.deepInclude(none, { return_percent: null, pnl_usd: null, start_value_usd: null, from: null, drawdown: null })
    assert.match(none.reason ?? "", /no sample/)
    assert.match(report([at(0, { value: 1, supply: 1 })]).reason ?? "", /one sample/)
  })

  it("continues after a time without vault tokens, without a return across it", () => {
    const data = report([
      at(0, { value: 100, supply: 100 }),
      at(1, { value: 110, supply: 100 }),
      at(2, { value: 0, supply: 0 }),
      at(3, { value: 50, supply: 50 }),
      at(4, { value: 55, supply: 50 })
    ])
    // 1.1 × 1.1 − 1
    assert.strictEqual(data.return_percent, 21)
    assert.strictEqual(data.curve[2]?.share_price, null)
    assert.strictEqual(data.statistics.returns, 2)
  })

  it("of a period begins with the last sample before it", () => {
    const points = Array.from({ length: 50 }, (_, n) => at(n, { value: 100 + n, supply: 100 }))
    const now = points.at(-1)!.at
    const data = report(points, { period: { from: new Date(now.getTime() - 10.5 * hour), to: now } })
    assert.strictEqual(data.start_value_usd, "138")
    assert.strictEqual(data.day.pnl_usd, "24")
    assert.strictEqual(data.all.pnl_usd, "49")
  })
})

describe("a portfolio", () => {
  const vault = (points: ReadonlyArray<ValuePoint>, last: string) => ({
    ...{ wallet, network: "base", pool: `0x${last.repeat(40)}` } as const,
    series: seriesOf(points, [])
  })

  it("sums values and profits, without a sum where a vault has no sample", () => {
    const one = [0, 1, 2].map((n) => at(n, { value: 100 + n, supply: 100 }))
    const other = [0, 2].map((n) => at(n, { value: 50 - n, supply: 50 }))
    const sum = portfolioOf([vault(one, "1"), vault(other, "2")], "all", one[2]!.at)
    assert.deepStrictEqual(sum.curve.map(({ value_usd }) => value_usd), ["150", null, "150"])
    assert.deepStrictEqual(sum.all, { pnl_usd: "0", return_percent: 0 })
    assert.strictEqual(sum.value_usd, "150")
    assert.deepStrictEqual(sum.vaults[1]?.sparkline, ["1", null, "0.96"])
  })

  it("without vaults is empty", () => {
    const empty = portfolioOf([], "7d", new Date(start))
    assert.deepInclude(empty, { value_usd: null, curve: [], vaults: [] })
    assert.strictEqual(one, 10n ** 18n)
  })
})
