/** Builds a vault's performance from its samples and its ended intents. */
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { format } from "../chain/Quantity.ts"
import { csv } from "../billing/Csv.ts"
import { allocationOf, attributionOf, benchmarksOf, type DetailedPoint, exposureOf } from "./Allocation.ts"
import { gasUsdOf, type LedgerTrade, sourcesOf, tradeFiguresOf } from "./LedgerTrade.ts"
import type { CurvePoint, LotMethod, Performance, Profit, Statistics } from "./Performance.ts"
import { one18, percentOf, type ReturnStatistics, round } from "./ReturnMetrics.ts"
import { type LotPrices, lotsOf, realisedOf, unrealisedOf, type VaultLots } from "./TaxLots.ts"
import {
  drawdownOfSeries,
  growthPercent,
  statisticsOfSamples,
  type ValueFigures,
  valueFiguresOf
} from "./ValueFigures.ts"
import type { SampleDetails } from "./ValueSample.ts"
import { coverageOf, curvePointOf, type SeriesPoint, thinned, withinPeriod } from "./ValueSeries.ts"

/** A time from which, and a time until which; `from` is null for the first sample. */
export interface Period {
  readonly from: Date | null
  readonly to: Date
}

/** The input of a report. */
export interface PerformanceInput {
  readonly network: Network
  readonly pool: Address
  readonly period: Period
  readonly now: Date
  /** All samples of the vault. */
  readonly series: ReadonlyArray<SeriesPoint>
  /** The holdings of the chosen samples (`detailSlots`), by slot. */
  readonly details: ReadonlyMap<number, SampleDetails>
  readonly trades: ReadonlyArray<LedgerTrade>
  readonly benchmark: string | undefined
  readonly lots: LotMethod
  /** The maximum number of points of the curve. */
  readonly points: number
}

/** Maximum number of samples of a period whose holdings are read, and of all samples for lots. */
const maxDetails = { period: 1_000, all: 500 }

/** Returns the slots whose holdings a report needs. */
export const detailSlots = (series: ReadonlyArray<SeriesPoint>, { from, to }: Period): ReadonlyArray<Date> => {
  const chosen = [
    ...thinned(withinPeriod(series, from, to), maxDetails.period),
    ...thinned(series, maxDetails.all)
  ]
  return [...new Map(chosen.map(({ slot }) => [slot.getTime(), slot])).values()]
}

const detailed = (
  series: ReadonlyArray<SeriesPoint>,
  details: ReadonlyMap<number, SampleDetails>
): ReadonlyArray<DetailedPoint> =>
  series.flatMap((point) => {
    const found = details.get(point.slot.getTime())
    return found === undefined ? [] : [{ ...point, details: found }]
  })

const usd = (raw18: bigint) => format(raw18, 18)

/** Returns the profit of the time before `now`; of all samples where `seconds` is null. */
export const profitOf = (series: ReadonlyArray<SeriesPoint>, now: Date, seconds: number | null): Profit => {
  const from = seconds === null ? null : new Date(now.getTime() - seconds * 1_000)
  const { growth18, pnl18 } = valueFiguresOf(withinPeriod(series, from, now))
  return growth18 === null
    ? { pnl_usd: null, return_percent: null }
    : { pnl_usd: usd(pnl18), return_percent: growthPercent(growth18) }
}

const daySeconds = 86_400

export const profitsOf = (series: ReadonlyArray<SeriesPoint>, now: Date) => ({
  day: profitOf(series, now, daySeconds),
  week: profitOf(series, now, 7 * daySeconds),
  all: profitOf(series, now, null)
})

/** Returns statistics in the wire format. */
const statisticsView = (
  { annualisation, periodSeconds, reason, returns, sharpe, sortino, volatility }: ReturnStatistics
): Statistics => ({
  ...{ period_seconds: periodSeconds, returns, annualisation, risk_free: 0, volatility_percent: volatility },
  ...{ sharpe, sortino, reason }
})

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()

const drawdownView = (series: ReadonlyArray<SeriesPoint>) => {
  const { from, percent, to } = drawdownOfSeries(series)
  return { percent, from: iso(from), to: iso(to) }
}

/** Returns the fees of a period. */
const feesView = ({ accrued18, minted18, mintedShares }: ValueFigures, last: SeriesPoint | undefined) => ({
  minted_shares: usd(mintedShares),
  minted_usd: last === undefined ? null : usd(minted18),
  accrued_usd: last === undefined ? null : usd(accrued18),
  owed_shares: last === undefined ? null : usd(last.owed),
  owed_usd: last === undefined || last.price18 === null ? null : usd(last.owed * last.price18 / one18)
})

const fewSamples = (count: number) =>
  count === 0
    ? "The vault has no sample in this period yet. Samples are taken of vaults that a gas wallet is linked to or has traded."
    : "The vault has one sample in this period; a return needs two."

/** Returns what the period's series says; figures are null, with a reason, while there are fewer than two samples. */
const valueView = (series: ReadonlyArray<SeriesPoint>, costs18: bigint | null) => {
  const [first, last] = [series[0], series.at(-1)]
  const figures = valueFiguresOf(series)
  const { averageValue18, growth18, growthBeforeFees18, pnl18 } = figures
  const net = growthPercent(growth18)
  const known = growth18 !== null
  return {
    figures,
    fields: {
      from: first?.at.toISOString() ?? null,
      to: last?.at.toISOString() ?? null,
      reason: known
        ? null
        : series.length < 2
        ? fewSamples(series.length)
        : "The vault had no tokens at every second sample; there is no share price to compare.",
      start_value_usd: first === undefined ? null : usd(first.value18),
      end_value_usd: last === undefined ? null : usd(last.value18),
      net_flows_usd: series.length < 2 ? null : usd(figures.flows18),
      start_share_price: first === undefined || first.price18 === null ? null : usd(first.price18),
      end_share_price: last === undefined || last.price18 === null ? null : usd(last.price18),
      return_percent: net,
      return_before_fees_percent: growthPercent(growthBeforeFees18),
      return_after_gas_percent: net === null || costs18 === null || averageValue18 === 0n
        ? null
        : round(net - percentOf(costs18, averageValue18)),
      pnl_usd: known ? usd(pnl18) : null,
      pnl_after_gas_usd: known && costs18 !== null ? usd(pnl18 - costs18) : null,
      drawdown: known ? drawdownView(series) : null,
      statistics: statisticsView(statisticsOfSamples(series))
    }
  }
}

/** Returns the prices of the newest sample. */
export const pricesOf = (points: ReadonlyArray<DetailedPoint>): LotPrices =>
  new Map(
    (points.at(-1)?.details.assets ?? []).flatMap(({ asset, price18 }) => price18 === null ? [] : [[asset, price18]])
  )

const isWithin = ({ from, to }: Period) => (at: Date) => (from === null || at >= from) && at < to

/** The lots of a vault and what of them a period sold. */
export interface PeriodLots {
  readonly lots: VaultLots
  readonly sold: VaultLots["sold"]
  readonly prices: LotPrices
}

/** Matches all lots of the vault, and selects what was sold in the period. */
export const periodLotsOf = (
  { details, lots: method, period, series, trades }: Pick<
    PerformanceInput,
    "details" | "lots" | "period" | "series" | "trades"
  >
): PeriodLots => {
  const points = detailed(series, details)
  const lots = lotsOf(trades, points, method)
  const isIn = isWithin(period)
  return { lots, sold: lots.sold.filter(({ time }) => isIn(new Date(time))), prices: pricesOf(points) }
}

const tradingView = (input: PerformanceInput, traded: ReadonlyArray<LedgerTrade>) => {
  const { lots, prices, sold } = periodLotsOf(input)
  const realised18 = realisedOf(sold)
  const unrealised18 = unrealisedOf(lots.open, prices)
  return {
    realised_usd: realised18 === null ? null : usd(realised18),
    unrealised_usd: unrealised18 === null ? null : usd(unrealised18),
    trading: tradeFiguresOf(traded, realised18),
    sources: sourcesOf(
      traded,
      (ids) => realisedOf(sold.filter(({ about }) => about.tradeId !== null && ids.has(about.tradeId)))
    )
  }
}

/** Returns gas and charges in USD with 18 decimals; null where a native price is not known. */
const costsOf = (traded: ReadonlyArray<LedgerTrade>): bigint | null => {
  const gas18 = gasUsdOf(traded)
  return gas18 === null ? null : traded.reduce((sum, { charge18 }) => sum + charge18, gas18)
}

/** Returns the turnover in percent of the average value. */
const turnoverOf = (traded: ReadonlyArray<LedgerTrade>, average18: bigint): number | null =>
  average18 === 0n
    ? null
    : percentOf(traded.reduce((sum, { swap }) => sum + (swap?.sold.usd18 ?? 0n), 0n), average18)

/** Builds a vault's performance. */
export const performanceOf = (input: PerformanceInput): Performance => {
  const { benchmark, details, network, now, period, pool, points, series, trades } = input
  const within = withinPeriod(series, period.from, period.to)
  const isIn = isWithin(period)
  const traded = trades.filter(({ at }) => isIn(at))
  const { fields, figures } = valueView(within, costsOf(traded))
  const { gaps, percent } = coverageOf(within)
  const holdings = detailed(thinned(within, maxDetails.period), details)
  return {
    ...{ network, pool, ...fields },
    coverage: {
      samples: within.length,
      interval_seconds: within.at(-1)?.intervalSeconds ?? 0,
      covered_percent: percent,
      gaps
    },
    ...profitsOf(series, now),
    fees: feesView(figures, within.at(-1)),
    ...tradingView(input, traded),
    turnover_percent: turnoverOf(traded, figures.averageValue18),
    exposure: exposureOf(holdings),
    benchmarks: benchmarksOf(holdings, benchmark, fields.return_percent),
    allocation: allocationOf(holdings),
    attribution: within.length < 2 ? [] : attributionOf(holdings, figures.pnl18, within[0]?.value18 ?? 0n),
    curve: thinned(within, points).map(curvePointOf)
  }
}

const curveColumns = [
  ...["time", "block", "value_usd", "share_price", "share_price_before_fees", "supply", "gap"] as const
]

/** Writes the curve as a table. */
export const curveCsv = (curve: ReadonlyArray<CurvePoint>): string => csv(curveColumns, curve)
