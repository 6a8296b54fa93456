/** The bands of a chart of weights over time: one for each asset, on top of each other. */

/** The holdings of a vault at a time. */
export interface Weights {
  readonly time: string
  readonly weights: ReadonlyArray<{ readonly asset: string; readonly symbol: string; readonly percent: number }>
  /** Why nothing is known before this time; null where the chart continues. */
  readonly gap: string | null
}

/** An asset's band. Places are fractions: 0 is the start or the top, 1 is the end or the bottom. */
export interface Band {
  /** An address, or `other`. */
  readonly key: string
  readonly symbol: string | undefined
  /** Percent at each time. */
  readonly percents: ReadonlyArray<number>
  /** A polygon for each part without a gap, as the points of an SVG. */
  readonly polygons: ReadonlyArray<string>
}

/** A chart has at most so many bands; the smaller ones are one. */
export const maxBands = 7

/** Size of the drawing, which is stretched to its place. */
export const size = { width: 1_000, height: 260 }

const other = "other"

/** Returns the places of the times, from left to right; a single time is at the left. */
export const placesOf = (allocation: ReadonlyArray<{ readonly time: string }>): ReadonlyArray<number> => {
  const times = allocation.map(({ time }) => Date.parse(time))
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  return times.map((time) => last === first ? 0 : (time - first) / (last - first))
}

/** Splits the numbers of the times where a gap begins. */
const parts = (allocation: ReadonlyArray<Weights>): ReadonlyArray<ReadonlyArray<number>> => {
  const all: Array<Array<number>> = []
  for (const [index, { gap }] of allocation.entries()) {
    if (index === 0 || gap !== null) all.push([])
    all.at(-1)?.push(index)
  }
  return all
}

/** Returns the assets by their average weight, the largest first. */
const ranked = (allocation: ReadonlyArray<Weights>) => {
  const sums = new Map<string, { readonly symbol: string; sum: number }>()
  for (const { asset, percent, symbol } of allocation.flatMap(({ weights }) => weights)) {
    const known = sums.get(asset) ?? { symbol, sum: 0 }
    known.sum += percent
    sums.set(asset, known)
  }
  return [...sums].sort(([, one], [, two]) => two.sum - one.sum).map(([asset, { symbol }]) => ({ asset, symbol }))
}

export const bandsOf = (allocation: ReadonlyArray<Weights>): ReadonlyArray<Band> => {
  const assets = ranked(allocation)
  const named = assets.length > maxBands ? assets.slice(0, maxBands - 1) : assets
  const place = new Map(named.map(({ asset }, index) => [asset, index]))
  const rows: Array<{ readonly key: string; readonly symbol: string | undefined; readonly percents: Array<number> }> =
    named.map(({ asset, symbol }) => ({ key: asset, symbol, percents: allocation.map(() => 0) }))
  if (named.length < assets.length) rows.push({ key: other, symbol: undefined, percents: allocation.map(() => 0) })
  for (const [index, { weights }] of allocation.entries()) {
    for (const { asset, percent } of weights) {
      const row = rows[place.get(asset) ?? rows.length - 1]
      if (row !== undefined) row.percents[index] = (row.percents[index] ?? 0) + percent
    }
  }
  const places = placesOf(allocation)
  const split = parts(allocation)
  const below = allocation.map(() => 0)
  return rows.map((row) => {
    const from = [...below]
    for (const [index, percent] of row.percents.entries()) below[index] = (below[index] ?? 0) + percent
    const at = (index: number, sums: ReadonlyArray<number>) =>
      `${((places[index] ?? 0) * size.width).toFixed(1)},${
        ((1 - Math.min(100, sums[index] ?? 0) / 100) * size.height).toFixed(1)
      }`
    return {
      ...row,
      polygons: split.filter(({ length }) => length > 1).map((indexes) =>
        [...indexes.map((index) => at(index, below)), ...[...indexes].reverse().map((index) => at(index, from))].join(
          " "
        )
      )
    }
  })
}

/** Returns the number of the time that is nearest to a place from the left. */
export const nearest = (places: ReadonlyArray<number>, place: number): number =>
  places.reduce((best, each, index) => Math.abs(each - place) < Math.abs((places[best] ?? 0) - place) ? index : best, 0)
