/** Turns samples into the points of a chart. A gap stays a gap: nothing is interpolated. */

/** A point of a curve; without a value where nothing is known, so that the line breaks there. */
export interface Point {
  readonly time: number
  readonly value: number | null
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
