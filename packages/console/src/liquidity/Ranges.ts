/**
 * Ranges of prices as the form holds them: two texts, an empty one where the range is open. Prices are of one asset in
 * another, in human units, and for display: the service rounds a range's ends to prices of the pool.
 */

export interface PriceRange {
  readonly lower: string
  readonly upper: string
}

/** Reads one end of a range: undefined where it is open, or no price. */
export const priceOf = (text: string): number | undefined => {
  const value = Number(text.trim())
  return text.trim() !== "" && Number.isFinite(value) && value > 0 ? value : undefined
}

/** Significant digits of a price that is chosen by hand. */
const digits = 6

/** Writes a price as the form and the API take it. */
export const textOf = (value: number, significant = digits): string => String(Number(value.toPrecision(significant)))

/** Returns the range around a price, this many percent down and up. */
export const around = (current: number, percent: number): PriceRange => ({
  lower: textOf(current * (1 - percent / 100)),
  upper: textOf(current * (1 + percent / 100))
})

/** The whole of what a pool can have. */
export const fullRange: PriceRange = { lower: "", upper: "" }

/** The widths that are offered, in percent of the present price to each side. */
export const presets = [1, 5, 20] as const

export const isSame = (one: PriceRange, other: PriceRange): boolean =>
  one.lower === other.lower && one.upper === other.upper

/** Significant digits of an inverted price: inverted again, it is what was typed. */
const invertedDigits = 12

const inverted = (text: string): string => {
  const value = priceOf(text)
  return value === undefined ? text : textOf(1 / value, invertedDigits)
}

/** Returns the same range in prices of the other direction. */
export const invert = ({ lower, upper }: PriceRange): PriceRange => ({
  lower: inverted(upper),
  upper: inverted(lower)
})

/** Returns whether the range's end is not above its beginning. */
export const isEmpty = (range: PriceRange): boolean => {
  const [low, high] = [priceOf(range.lower), priceOf(range.upper)]
  return low !== undefined && high !== undefined && low >= high
}

/** Where a price is with respect to a range. */
export type Place = "below" | "in" | "above"

export const placeOf = (range: PriceRange, current: number): Place => {
  const [low, high] = [priceOf(range.lower), priceOf(range.upper)]
  return low !== undefined && current < low ? "below" : high !== undefined && current >= high ? "above" : "in"
}

/** Returns by how many percent a price is above another; negative below it. */
export const distanceOf = (value: number, current: number): number => (value / current - 1) * 100

export type End = "lower" | "upper"

/** The closest that the ends of a chosen range may be, as a factor. */
const leastWidth = 1.0001

/** Moves one end of a range to a price, but not past its other end. */
export const moved = (range: PriceRange, end: End, price: number): PriceRange => {
  const other = priceOf(end === "lower" ? range.upper : range.lower)
  const bounded = other === undefined
    ? price
    : end === "lower"
    ? Math.min(price, other / leastWidth)
    : Math.max(price, other * leastWidth)
  return { ...range, [end]: textOf(bounded) }
}

/** How far a key moves an end, in percent. */
const smallStep = 0.5
const largeStep = 5

const steps: Readonly<Record<string, number>> = {
  ArrowUp: smallStep,
  ArrowRight: smallStep,
  ArrowDown: -smallStep,
  ArrowLeft: -smallStep,
  PageUp: largeStep,
  PageDown: -largeStep
}

/** The keys that open the range, each at the end that it leads to. */
const opens: Readonly<Record<string, End>> = { Home: "lower", End: "upper" }

/**
 * Returns the range after a key on one of its ends; undefined for keys that do nothing. An open
 * end moves from `edge`, the end of what is shown.
 */
export const pressed = (range: PriceRange, end: End, key: string, edge: number): PriceRange | undefined => {
  if (opens[key] === end) return { ...range, [end]: "" }
  const step = steps[key]
  return step === undefined ? undefined : moved(range, end, (priceOf(range[end]) ?? edge) * (1 + step / 100))
}

/** The prices that a picture shows, from its lower to its upper edge. The scale is logarithmic. */
export interface Shown {
  readonly bottom: number
  readonly top: number
}

/** The part of the shown prices that stays free at each edge. */
const margin = 0.2
/** The least that is shown around a single price, as a factor. */
const leastShown = 1.03
/** The prices shown where only the present one is known, as a factor to each side. */
const alone = 1.4

/** Returns what a picture shows of these prices; undefined without any. `zoom` 2 shows half of it, around the middle. */
export const shownOf = (
  prices: ReadonlyArray<number>,
  range: PriceRange,
  current: number | undefined,
  zoom: number
): Shown | undefined => {
  const ends = [priceOf(range.lower), priceOf(range.upper)].flatMap((end) => end === undefined ? [] : [end])
  const near = current === undefined ? [] : prices.length === 0 ? [current / alone, current * alone] : [current]
  const all = [...prices, ...near, ...ends].filter((each) => each > 0)
  if (all.length === 0) return undefined
  const [least, most] = [Math.log(Math.min(...all)), Math.log(Math.max(...all))]
  const span = Math.max(most - least, Math.log(leastShown)) * (1 + 2 * margin) / zoom
  const middle = zoom === 1
    ? (least + most) / 2
    : ends.length === 2
    ? ends.reduce((sum, end) => sum + Math.log(end), 0) / 2
    : Math.log(current ?? ends[0] ?? Math.exp((least + most) / 2))
  return { bottom: Math.exp(middle - span / 2), top: Math.exp(middle + span / 2) }
}

/** Returns how far below the upper edge of a picture a price is, in percent of its height; at an edge beyond it. */
export const heightOf = ({ bottom, top }: Shown, price: number): number =>
  Math.min(100, Math.max(0, Math.log(top / price) / Math.log(top / bottom) * 100))

/** Returns the price at a height, in percent below the upper edge. */
export const priceAt = ({ bottom, top }: Shown, height: number): number =>
  top * (bottom / top) ** (Math.min(100, Math.max(0, height)) / 100)
