/** Sums the samples of several vaults. A time at which one of them has a gap has no sum. */
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { format } from "../chain/Quantity.ts"
import { type Portfolio, type PortfolioVault, type Profit, type Range, ranges } from "./Performance.ts"
import { profitsOf } from "./PerformanceReport.ts"
import { percentOf } from "./ReturnMetrics.ts"
import { valueFiguresOf } from "./ValueFigures.ts"
import { type SeriesPoint, thinned, withinPeriod } from "./ValueSeries.ts"

/** A vault with all its samples. */
export interface PortfolioInput {
  readonly wallet: Address
  readonly network: Network
  readonly pool: Address
  readonly series: ReadonlyArray<SeriesPoint>
}

/** Maximum number of points of the sum, and of a vault's small chart. */
const maxPoints = { curve: 240, sparkline: 60 }

const usd = (raw18: bigint) => format(raw18, 18)

/** Returns the share prices for a small chart; a gap is a null before the point. */
const sparklineOf = (series: ReadonlyArray<SeriesPoint>): ReadonlyArray<string | null> =>
  thinned(series, maxPoints.sparkline).flatMap(({ gap, price18 }) => [
    ...(gap === null ? [] : [null]),
    price18 === null ? null : usd(price18)
  ]).slice(-maxPoints.sparkline)

const vaultOf = (
  { network, pool, series, wallet }: PortfolioInput,
  now: Date,
  from: Date | null
): PortfolioVault => {
  const last = series.at(-1)
  return {
    ...{ wallet, network, pool },
    value_usd: last === undefined ? null : usd(last.value18),
    share_price: last === undefined || last.price18 === null ? null : usd(last.price18),
    sampled_at: last?.at.toISOString() ?? null,
    ...profitsOf(series, now),
    sparkline: sparklineOf(withinPeriod(series, from, now))
  }
}

/** Sums profits. A vault without samples has none; percentages are weighted by the values at the start. */
const sumOf = (vaults: ReadonlyArray<PortfolioInput>, now: Date, seconds: number | null): Profit => {
  const from = seconds === null ? null : new Date(now.getTime() - seconds * 1_000)
  let [pnl18, start18, known] = [0n, 0n, false]
  for (const { series } of vaults) {
    const within = withinPeriod(series, from, now)
    const figures = valueFiguresOf(within)
    if (figures.growth18 === null) continue
    known = true
    pnl18 += figures.pnl18
    start18 += within[0]?.value18 ?? 0n
  }
  return known
    ? { pnl_usd: usd(pnl18), return_percent: start18 === 0n ? null : percentOf(pnl18, start18) }
    : { pnl_usd: null, return_percent: null }
}

/** A vault's value, and its profit since the start of the range. */
interface Step {
  readonly value18: bigint
  readonly pnl18: bigint
}

/** Returns the steps of a series, by the number of the slot's bucket: the last sample of a bucket stands for it. */
const stepsOf = (series: ReadonlyArray<SeriesPoint>, bucketOf: (point: SeriesPoint) => number) => {
  let pnl18 = 0n
  return new Map(series.map((point, index): readonly [number, Step] => {
    const before = series[index - 1]
    if (before !== undefined) pnl18 += valueFiguresOf([before, point]).pnl18
    return [bucketOf(point), { value18: point.value18, pnl18 }]
  }))
}

/**
 * Returns the sums of all vaults, at the distance of the coarsest of their samples. A vault counts from its first sample
 * on.
 */
const curveOf = (vaults: ReadonlyArray<PortfolioInput>, now: Date, from: Date | null) => {
  const within = vaults.map(({ series }) => withinPeriod(series, from, now)).filter(({ length }) => length > 0)
  const interval = Math.max(1, ...within.flat().map(({ intervalSeconds }) => intervalSeconds)) * 1_000
  const bucketOf = ({ slot }: SeriesPoint) => Math.floor(slot.getTime() / interval)
  const each = within.map((series) => ({ first: bucketOf(series[0]!), steps: stepsOf(series, bucketOf) }))
  const buckets = [...new Set(each.flatMap(({ steps }) => [...steps.keys()]))].sort((one, other) => one - other)
  const all = buckets.map((bucket) => {
    const here = each.filter(({ first }) => first <= bucket).map(({ steps }) => steps.get(bucket))
    const steps = here.filter((step) => step !== undefined)
    return { time: new Date(bucket * interval).toISOString(), sum: steps.length < here.length ? null : steps }
  })
  return evenly(all, maxPoints.curve).map(({ sum, time }) => ({
    time,
    value_usd: sum === null ? null : usd(sum.reduce((total, { value18 }) => total + value18, 0n)),
    pnl_usd: sum === null ? null : usd(sum.reduce((total, { pnl18 }) => total + pnl18, 0n))
  }))
}

const evenly = <A>(all: ReadonlyArray<A>, most: number): ReadonlyArray<A> =>
  all.length <= most
    ? all
    : Array.from({ length: most }, (_, index) => all[Math.round(index * (all.length - 1) / (most - 1))]!)

/** Builds the sum of vaults, each named once. */
export const portfolioOf = (vaults: ReadonlyArray<PortfolioInput>, range: Range, now: Date): Portfolio => {
  const seconds = ranges[range]
  const from = seconds === null ? null : new Date(now.getTime() - seconds * 1_000)
  const sampled = vaults.flatMap(({ series }) => series.at(-1) ?? [])
  return {
    value_usd: sampled.length === 0 ? null : usd(sampled.reduce((sum, { value18 }) => sum + value18, 0n)),
    day: sumOf(vaults, now, 86_400),
    week: sumOf(vaults, now, 7 * 86_400),
    all: sumOf(vaults, now, null),
    curve: curveOf(vaults, now, from),
    vaults: vaults.map((vault) => vaultOf(vault, now, from))
  }
}
