/** Turns samples into the points of a chart. A gap stays a gap: nothing is interpolated. */

/** A point of a curve; without a value where nothing is known, so that the line breaks there. */
export interface Point {
  readonly time: number
  readonly value: number | null
}

/** A point with a value. */
export interface KnownPoint {
  readonly time: number
  readonly value: number
}

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000)

/** Orders points by time and removes those at the same second: a chart accepts each time once. */
const ascending = (points: ReadonlyArray<Point>): ReadonlyArray<Point> =>
  [...new Map(points.map((point) => [point.time, point])).values()].sort((one, other) => one.time - other.time)

/** Returns the curve of a vault by a field of its points, with a break before each point that ends a gap. */
export const curveOf = (
  curve: ReadonlyArray<{ readonly time: string; readonly gap: string | null } & Readonly<Record<string, unknown>>>,
  field: "value_usd" | "share_price"
): ReadonlyArray<Point> =>
  ascending(curve.flatMap((point): ReadonlyArray<Point> => {
    const time = seconds(point.time)
    const value = point[field]
    const here = { time, value: typeof value === "string" ? Number(value) : null }
    return point.gap === null ? [here] : [{ time: time - 1, value: null }, here]
  }))

/** Returns the change of a curve since its first value, in percent; no curve where that is zero. */
export const changesOf = (points: ReadonlyArray<Point>): ReadonlyArray<Point> => {
  const first = points.find(({ value }) => value !== null)?.value ?? 0
  return first === 0
    ? []
    : points.map(({ time, value }) => ({ time, value: value === null ? null : (value / first - 1) * 100 }))
}

/** Returns the times at which the return of a benchmark is known, with the return in percent. */
export const returnsOf = (
  curve: ReadonlyArray<{ readonly time: string; readonly return_percent: number | null }>
): ReadonlyArray<KnownPoint> =>
  ascending(
    curve.map(({ return_percent, time }) => ({ time: seconds(time), value: return_percent }))
  ).flatMap(({ time, value }) => value === null ? [] : [{ time, value }])

/** Returns a curve of the sum of all vaults; null where a vault has a gap. */
export const sumCurveOf = (
  curve: ReadonlyArray<{ readonly time: string; readonly value_usd: string | null; readonly pnl_usd: string | null }>,
  field: "value_usd" | "pnl_usd"
): ReadonlyArray<Point> =>
  ascending(curve.map((point) => {
    const value = point[field]
    return { time: seconds(point.time), value: value === null ? null : Number(value) }
  }))

/** Counts the points with a value: a line needs two. */
export const knownPoints = (points: ReadonlyArray<Point>): number => points.filter(({ value }) => value !== null).length
