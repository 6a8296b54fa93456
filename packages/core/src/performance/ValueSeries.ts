/**
 * A vault's samples in order, with the gaps between them. A gap is where the next slot after a sample has none: nothing
 * is interpolated there.
 */
import { format } from "../chain/Quantity.ts"
import type { CurvePoint, Gap } from "./Performance.ts"
import { priceBeforeFeesOf, type MissedSlot, sharePriceOf, type ValuePoint } from "./ValueSample.ts"

/** A sample, and why nothing is known between the one before and this one; null where the series continues. */
export interface SeriesPoint extends ValuePoint {
  /** USD per vault token, 18 decimals, after fees that are owed. */
  readonly price18: bigint | null
  readonly gap: string | null
}

const unsampled = "No sample was taken: the service did not run, or did not know the vault."

/** Maximum distance of two slots without a gap, in intervals; a day's sample need not be of the same hour. */
const maxIntervals = 1.5

const isGap = (before: ValuePoint, after: ValuePoint): boolean =>
  (after.slot.getTime() - before.slot.getTime()) / 1_000 >
    maxIntervals * Math.max(before.intervalSeconds, after.intervalSeconds)

/** Builds the series. Both lists are in the order of their slots. */
export const seriesOf = (
  points: ReadonlyArray<ValuePoint>,
  missed: ReadonlyArray<MissedSlot>
): ReadonlyArray<SeriesPoint> =>
  points.map((point, index) => {
    const before = points[index - 1]
    const gap = before === undefined || !isGap(before, point)
      ? null
      : missed.findLast(({ slot }) => slot > before.slot && slot < point.slot)?.reason ?? unsampled
    return { ...point, price18: sharePriceOf(point), gap }
  })

/** Returns the part of a series for a period: it begins with the last sample at or before `from`, unless a gap follows. */
export const withinPeriod = (series: ReadonlyArray<SeriesPoint>, from: Date | null, to: Date) => {
  const upTo = series.filter(({ at }) => at <= to)
  if (from === null) return upTo
  const first = upTo.findIndex(({ at }) => at >= from)
  if (first < 0) return []
  const begins = first > 0 && upTo[first]!.at > from && upTo[first]!.gap === null ? first - 1 : first
  return upTo.slice(begins).map((point, index) => index === 0 ? { ...point, gap: null } : point)
}

const wholeSeconds = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1_000

/** Returns the gaps, and the percentage of the time that is in none. */
export const coverageOf = (series: ReadonlyArray<SeriesPoint>) => {
  const gaps: Array<Gap> = []
  let lost = 0
  series.forEach(({ at, gap }, index) => {
    const before = series[index - 1]
    if (gap === null || before === undefined) return
    gaps.push({ from: before.at.toISOString(), to: at.toISOString(), reason: gap })
    lost += wholeSeconds(before.at, at)
  })
  const [first, last] = [series[0], series.at(-1)]
  const all = first === undefined || last === undefined ? 0 : wholeSeconds(first.at, last.at)
  return { gaps, percent: all === 0 ? 0 : Math.round((1 - lost / all) * 10_000) / 100 }
}

/** Chooses at most so many points: the ends, those beside gaps while they fit, and the others evenly. */
export const thinned = <P extends SeriesPoint>(series: ReadonlyArray<P>, most: number): ReadonlyArray<P> => {
  if (series.length <= most) return series
  const chosen = new Set([0, series.length - 1])
  for (const [index, { gap }] of series.entries()) {
    if (gap !== null && chosen.size + 2 <= most) chosen.add(index - 1).add(index)
  }
  const others = most - chosen.size
  for (let each = 1; each <= others; each++) chosen.add(Math.floor(each * (series.length - 1) / (others + 1)))
  // A gap before a point that was not chosen belongs to the next one that was.
  const thin: Array<P> = []
  let gap: string | null = null
  for (const [index, point] of series.entries()) {
    gap = point.gap ?? gap
    if (!chosen.has(index)) continue
    thin.push({ ...point, gap })
    gap = null
  }
  return thin
}

const usdOrNull = (raw18: bigint | null) => raw18 === null ? null : format(raw18, 18)

export const curvePointOf = (point: SeriesPoint): CurvePoint => ({
  time: point.at.toISOString(),
  block: point.block,
  value_usd: format(point.value18, 18),
  share_price: usdOrNull(point.price18),
  share_price_before_fees: usdOrNull(priceBeforeFeesOf(point)),
  supply: format(point.supply, 18),
  gap: point.gap
})
