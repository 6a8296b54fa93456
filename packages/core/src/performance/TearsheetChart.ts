/** Charts of a tearsheet as SVG, without scripts. A line ends at a gap; nothing is drawn across it. */

/** A point of a chart; `value` is null where nothing is known. */
export interface ChartPoint {
  /** Unix milliseconds. */
  readonly time: number
  readonly value: number | null
  /** True if nothing is known between the point before and this one. */
  readonly afterGap: boolean
}

export interface ChartOptions {
  readonly title: string
  readonly points: ReadonlyArray<ChartPoint>
  readonly format: (value: number) => string
  /** A value that the scale must contain: 0 for areas. */
  readonly base?: number
  readonly tone: "line" | "area" | "loss"
  readonly height: number
}

const size = { width: 720, left: 62, right: 14, top: 12, bottom: 24 }

/** Escapes text for HTML and SVG. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** Returns steps of 1, 2 or 5 times a power of ten, about four of them. */
export const ticksOf = (low: number, high: number): ReadonlyArray<number> => {
  const span = high - low
  if (!(span > 0)) return [low]
  const rough = span / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10)
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.floor(high / step + 1e-9) - first
  return Array.from({ length: count + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

const day = 86_400_000
const dateText = (time: number, span: number): string => {
  const text = new Date(time).toISOString()
  return span < 2 * day ? text.slice(11, 16) : span < 400 * day ? text.slice(5, 10) : text.slice(0, 7)
}

const at = (value: number) => value.toFixed(1)

/** The positions of times and values. */
interface Scale {
  readonly x: (time: number) => number
  readonly y: (value: number) => number
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
}

const scaleOf = ({ base, height, points }: ChartOptions): Scale => {
  const values = points.flatMap(({ value }) => value ?? [])
  const all = base === undefined ? values : [...values, base]
  const [least, most] = [Math.min(...all), Math.max(...all)]
  // A flat line is drawn in the middle.
  const margin = most > least ? (most - least) * 0.06 : Math.abs(most) * 0.01 || 1
  const low = base !== undefined && least >= base ? base : least - margin
  const high = base !== undefined && most <= base ? base : most + margin
  const [from, to] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0]
  const [width, tall] = [size.width - size.left - size.right, height - size.top - size.bottom]
  return {
    ...{ from, to, low, high },
    x: (time) => size.left + (to === from ? width / 2 : (time - from) / (to - from) * width),
    y: (value) => size.top + (high - value) / (high - low) * tall
  }
}

/** Splits the points where nothing is known. */
export const runsOf = (points: ReadonlyArray<ChartPoint>): ReadonlyArray<ReadonlyArray<ChartPoint>> => {
  const runs: Array<Array<ChartPoint>> = []
  let open = false
  for (const point of points) {
    if (point.value === null) {
      open = false
      continue
    }
    if (!open || point.afterGap) runs.push([])
    runs.at(-1)!.push(point)
    open = true
  }
  return runs
}

const pathOf = (run: ReadonlyArray<ChartPoint>, { x, y }: Scale): string =>
  run.map(({ time, value }, index) => `${index === 0 ? "M" : "L"}${at(x(time))} ${at(y(value ?? 0))}`).join("")

const drawn = ({ base, points, tone }: ChartOptions, scale: Scale): string =>
  runsOf(points).map((run) => {
    const [first, last] = [run[0]!, run.at(-1)!]
    // A single sample between two gaps has no line.
    if (run.length === 1) {
      return `<circle class="${tone}" cx="${at(scale.x(first.time))}" cy="${at(scale.y(first.value ?? 0))}" r="1.8"/>`
    }
    const line = pathOf(run, scale)
    const floor = at(scale.y(base ?? scale.low))
    const fill = `<path class="${tone} fill" d="${line}L${at(scale.x(last.time))} ${floor}L${
      at(scale.x(first.time))
    } ${floor}Z"/>`
    return `${tone === "line" ? "" : fill}<path class="${tone}" d="${line}"/>`
  }).join("")

/** Shades the times of which nothing is known. */
const gapsOf = ({ height, points }: ChartOptions, { x }: Scale): string =>
  points.map(({ afterGap, time }, index) => {
    const before = points[index - 1]
    if (!afterGap || before === undefined) return ""
    const [left, right] = [x(before.time), x(time)]
    return `<rect class="gap" x="${at(left)}" y="${size.top}" width="${at(right - left)}" height="${
      height - size.top - size.bottom
    }"><title>no samples</title></rect>`
  }).join("")

const axesOf = ({ format, height }: ChartOptions, scale: Scale): string => {
  const { from, high, low, to, x, y } = scale
  const right = size.width - size.right
  const lines = ticksOf(low, high).map((value) =>
    `<line class="grid" x1="${size.left}" x2="${right}" y1="${at(y(value))}" y2="${at(y(value))}"/>` +
    `<text class="tick" x="${size.left - 8}" y="${at(y(value) + 3.5)}" text-anchor="end">${
      escaped(format(value))
    }</text>`
  )
  const times = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const time = from + (to - from) * share
    const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle"
    return `<text class="tick" x="${at(x(time))}" y="${height - 6}" text-anchor="${anchor}">${
      dateText(time, to - from)
    }</text>`
  })
  return [...lines, ...(to > from ? times : times.slice(2, 3))].join("")
}

/** Draws a chart. */
export const chartOf = (options: ChartOptions): string => {
  const { height, points, title } = options
  if (!points.some(({ value }) => value !== null)) return `<p class="none">No samples in this period.</p>`
  const scale = scaleOf(options)
  return `<svg viewBox="0 0 ${size.width} ${height}" role="img" aria-label="${escaped(title)}">` +
    `${axesOf(options, scale)}${gapsOf(options, scale)}${drawn(options, scale)}</svg>`
}
