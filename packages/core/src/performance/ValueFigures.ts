/**
 * Figures from a series of samples. The profit of an interval is the change of the share price times the vault tokens
 * at its start, so deposits and withdrawals are no profit. USD and vault tokens have 18 decimals.
 */
import {
  drawdownOf,
  one18,
  percentOf,
  returnOf,
  type ReturnStatistics,
  statisticsOf,
  type Valued
} from "./ReturnMetrics.ts"
import type { SeriesPoint } from "./ValueSeries.ts"

export interface ValueFigures {
  /** 10^18 is no change; null with fewer than two share prices in a row. */
  readonly growth18: bigint | null
  /** The same before the fees that accrued. */
  readonly growthBeforeFees18: bigint | null
  readonly pnl18: bigint
  /** Deposits minus withdrawals. */
  readonly flows18: bigint
  readonly mintedShares: bigint
  readonly minted18: bigint
  /** The cost of the fees that accrued. */
  readonly accrued18: bigint
  /** The mean of the samples. */
  readonly averageValue18: bigint
}

/** The fees of one interval, in vault tokens. */
interface IntervalFees {
  readonly minted: bigint
  readonly accrued: bigint
}

/**
 * Derives the fees of an interval. When less is owed than before, what was owed has been minted, and what is owed now
 * has accrued since.
 */
const feesBetween = (from: SeriesPoint, to: SeriesPoint): IntervalFees =>
  to.owed < from.owed
    ? { minted: from.owed, accrued: to.owed }
    : { minted: 0n, accrued: to.owed - from.owed }

/** The intervals with a share price at both ends. */
const intervalsOf = (series: ReadonlyArray<SeriesPoint>) =>
  series.flatMap((to, index) => {
    const from = series[index - 1]
    return from === undefined || from.price18 === null || to.price18 === null || from.price18 === 0n
      ? []
      : [{ from, to, fromPrice: from.price18, toPrice: to.price18, fees: feesBetween(from, to) }]
  })

const flowsOf = (series: ReadonlyArray<SeriesPoint>): bigint =>
  series.slice(1).reduce((sum, to, index) => {
    const from = series[index]!
    const price = to.price18 ?? from.price18 ?? 0n
    // Tokens that were minted as fees are no deposit.
    return sum + (to.supply - from.supply - feesBetween(from, to).minted) * price / one18
  }, 0n)

/** Computes the figures of a series. */
export const valueFiguresOf = (series: ReadonlyArray<SeriesPoint>): ValueFigures => {
  const intervals = intervalsOf(series)
  let [growth18, growthBeforeFees18] = [one18, one18]
  let [pnl18, minted18, mintedShares, accrued18] = [0n, 0n, 0n, 0n]
  for (const { fees, from, fromPrice, to, toPrice } of intervals) {
    const withoutFees = to.supply + to.owed - fees.accrued
    const priceBeforeFees = withoutFees <= 0n ? toPrice : to.value18 * one18 / withoutFees
    growth18 = growth18 * toPrice / fromPrice
    growthBeforeFees18 = growthBeforeFees18 * priceBeforeFees / fromPrice
    pnl18 += from.supply * (toPrice - fromPrice) / one18
    accrued18 += fees.accrued * toPrice / one18
    mintedShares += fees.minted
    minted18 += fees.minted * toPrice / one18
  }
  const known = intervals.length > 0
  return {
    growth18: known ? growth18 : null,
    growthBeforeFees18: known ? growthBeforeFees18 : null,
    ...{ pnl18, flows18: flowsOf(series), mintedShares, minted18, accrued18 },
    averageValue18: series.length === 0 ? 0n : series.reduce((sum, { value18 }) => sum + value18, 0n) /
      BigInt(series.length)
  }
}

/** Returns a growth as a percentage; null where it is not known. */
export const growthPercent = (growth18: bigint | null): number | null =>
  growth18 === null ? null : percentOf(growth18 - one18, one18)

/** Returns the growth of a share at each sample: chained, so that it continues after a time without tokens. */
export const growthSeries = (series: ReadonlyArray<SeriesPoint>): ReadonlyArray<Valued> => {
  let growth = one18
  return series.map(({ at, price18 }, index) => {
    const before = series[index - 1]?.price18
    if (before !== undefined && before !== null && before > 0n && price18 !== null) growth = growth * price18 / before
    return { time: Math.floor(at.getTime() / 1_000), value: growth }
  })
}

export const drawdownOfSeries = (series: ReadonlyArray<SeriesPoint>) => drawdownOf(growthSeries(series))

const daySeconds = 86_400
/** Minimum number of days for statistics of daily returns; with fewer, they are of the samples' own interval. */
const minDays = 21

/** Computes the statistics of daily returns, or of a short series' own interval. No return spans a gap. */
export const statisticsOfSamples = (series: ReadonlyArray<SeriesPoint>): ReturnStatistics => {
  const [first, last] = [series[0], series.at(-1)]
  const own = Math.max(0, ...series.map(({ intervalSeconds }) => intervalSeconds))
  const spanned = first === undefined || last === undefined ? 0 : (last.at.getTime() - first.at.getTime()) / 1_000
  const period = spanned >= minDays * daySeconds ? Math.max(own, daySeconds) : own
  if (period === 0) return statisticsOf([], 0)
  // The last sample of each period, with whether a gap lies between it and that of the period before.
  const ends: Array<{ readonly bucket: number; readonly price18: bigint | null; readonly broken: boolean }> = []
  for (const { gap, price18, slot } of series) {
    const bucket = Math.floor(slot.getTime() / 1_000 / period)
    const current = ends.at(-1)
    const broken = gap !== null || price18 === null
    if (current?.bucket === bucket) ends[ends.length - 1] = { bucket, price18, broken: broken || current.broken }
    else ends.push({ bucket, price18, broken })
  }
  const returns = ends.flatMap(({ broken, bucket, price18 }, index) => {
    const before = ends[index - 1]
    return before === undefined || broken || bucket !== before.bucket + 1 || before.price18 === null ||
        before.price18 === 0n || price18 === null
      ? []
      : [returnOf(before.price18, price18)]
  })
  return statisticsOf(returns, period)
}
