/**
 * Renders a backtest as SVG: equity of the bot and of holding, with a mark per trade. Dark on light, no script, no
 * embedded font.
 */
import { figuresOf, tradedOf } from "@vault-trader/core/backtest/BacktestMetrics"
import type { Fill } from "@vault-trader/core/backtest/Portfolio"
import type { Equity } from "@vault-trader/core/backtest/Replay"
import type { Address } from "@vault-trader/core/chain/Address"
import { usd } from "@vault-trader/core/chain/Quantity"
import type { BacktestResult } from "./Play.ts"
import { dollarText, quantityText, timeText } from "./Text.ts"

const size = { width: 1000, height: 560 }
const inner = { left: 90, right: 24, top: 84, bottom: 56 }
/** Colours the colour-blind can distinguish, and dashes for print. */
const styles = [["#1b4f9c", ""], ["#b35900", "6 4"], ["#5a5a5a", "2 4"]] as const
/** Maximum points of a line; more are not visible. */
const maxPoints = 1_500

interface Scale {
  readonly x: (time: number) => number
  readonly y: (dollars: number) => number
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")
const at = (value: number) => value.toFixed(1)

/** Keeps the lowest and the highest point of each interval, so that no drawdown is lost. */
const downsample = (equity: ReadonlyArray<Equity>): ReadonlyArray<Equity> => {
  const width = Math.ceil(equity.length / (maxPoints / 2))
  if (width <= 1) return equity
  const stretches = Array.from(
    { length: Math.ceil(equity.length / width) },
    (_, index) => equity.slice(index * width, (index + 1) * width)
  )
  const extremes = stretches.flatMap((stretch) => {
    const low = stretch.reduce((least, each) => each.usd18 < least.usd18 ? each : least)
    const high = stretch.reduce((largest, each) => each.usd18 > largest.usd18 ? each : largest)
    return low === high ? [low] : low.time < high.time ? [low, high] : [high, low]
  })
  return [...equity.slice(0, 1), ...extremes, ...equity.slice(-1)]
}

/** Returns round numbers from below the least to above the largest. */
export const ticksOf = (least: number, largest: number, about = 6): ReadonlyArray<number> => {
  const raw = (largest - least || Math.abs(largest) || 1) / about
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = ([1, 2, 2.5, 5].find((each) => each * power >= raw) ?? 10) * power
  const [first, last] = [Math.floor(least / step), Math.ceil(largest / step)]
  return Array.from({ length: Math.max(2, last - first + 1) }, (_, index) => (first + index) * step)
}

const money = (dollars: number) => `$ ${dollars.toLocaleString("en-US", { maximumFractionDigits: 2 })}`

const line = (
  content: { readonly equity: ReadonlyArray<Equity>; readonly style: readonly [string, string] },
  { x, y }: Scale
) => {
  const points = downsample(content.equity).map(({ time, usd18 }) => `${at(x(time))},${at(y(usd(usd18)))}`).join(" ")
  const [colour, dashes] = content.style
  return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2" stroke-linejoin="round"${
    dashes === "" ? "" : ` stroke-dasharray="${dashes}"`
  }/>`
}

/** A mark below the line pointing up where the quote is spent, above it pointing down where it is bought. */
const mark = (fill: Fill, quote: Address, dollars: number, { x, y }: Scale) => {
  const buys = fill.from.address === quote
  const below = buys ? 1 : -1
  const path = `M${at(x(fill.time))} ${at(y(dollars) + 3 * below)}l-6 ${11 * below}h12z`
  const title = `${timeText(fill.time)}: sold ${quantityText(fill.from, fill.sold)} for ${
    quantityText(fill.to, fill.bought)
  } (${dollarText(fill.usd18)})`
  return `<path class="trade" d="${path}" fill="${
    buys ? "#137333" : "#b3261e"
  }" stroke="#ffffff" stroke-width="1"><title>${escaped(title)}</title></path>`
}

const grid = (dollars: ReadonlyArray<number>, times: ReadonlyArray<number>, { x, y }: Scale) => [
  ...dollars.map((each) =>
    `<line x1="${inner.left}" x2="${size.width - inner.right}" y1="${at(y(each))}" y2="${
      at(y(each))
    }" stroke="#dddddd"/>` +
    `<text x="${inner.left - 8}" y="${at(y(each) + 4)}" text-anchor="end">${money(each)}</text>`
  ),
  ...times.map((each, place) =>
    `<line x1="${at(x(each))}" x2="${at(x(each))}" y1="${size.height - inner.bottom}" y2="${
      size.height - inner.bottom + 6
    }" stroke="#222222"/>` +
    `<text x="${at(x(each))}" y="${size.height - inner.bottom + 22}" text-anchor="${
      place === 0 ? "start" : place === times.length - 1 ? "end" : "middle"
    }">${timeText(each)}</text>`
  ),
  `<path d="M${inner.left} ${inner.top}V${size.height - inner.bottom}H${
    size.width - inner.right
  }" fill="none" stroke="#222222"/>`,
  `<text x="${size.width - inner.right}" y="${size.height - 12}" text-anchor="end">UTC</text>`
]

const legend = ({ lines }: BacktestResult) =>
  lines.map(({ equity, name }, place) => {
    const [colour, dashes] = styles[place] ?? styles[0]
    const left = inner.left + place * 250
    return `<line x1="${left}" x2="${left + 28}" y1="62" y2="62" stroke="${colour}" stroke-width="2"${
      dashes === "" ? "" : ` stroke-dasharray="${dashes}"`
    }/>` +
      `<text x="${left + 34}" y="66">${escaped(name)} ${figuresOf(equity).pnlPercent.toFixed(2)} %</text>`
  })

export const svg = (played: BacktestResult): string => {
  const { bars, fills, lines, quote, title } = played
  const [from, to] = [bars[0]?.time ?? 0, bars.at(-1)?.time ?? 1]
  const values = lines.flatMap(({ equity }) => equity.map(({ usd18 }) => usd(usd18)))
  const dollars = ticksOf(
    values.reduce((least, each) => Math.min(least, each), Infinity),
    values.reduce((largest, each) => Math.max(largest, each), 0)
  )
  const [low, high] = [dollars[0] ?? 0, dollars.at(-1) ?? 1]
  const scale: Scale = {
    x: (time) => inner.left + (time - from) / (to - from) * (size.width - inner.left - inner.right),
    y: (value) => size.height - inner.bottom - (value - low) / (high - low) * (size.height - inner.top - inner.bottom)
  }
  // An order also trades within a bar: its mark is at the bar's worth.
  const worthAt = (time: number) => usd(lines[0]?.equity.findLast((each) => each.time <= time)?.usd18 ?? 0n)
  const times = [
    ...new Set(Array.from({ length: 6 }, (_, place) => bars[Math.round((bars.length - 1) * place / 5)]?.time ?? from))
  ]
  const { costs18, trades, turnover18 } = tradedOf(fills)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img" ` +
    `font-family="system-ui, sans-serif" font-size="13" fill="#222222">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${size.width}" height="${size.height}" fill="#ffffff"/>`,
    `<text x="${inner.left}" y="24" font-size="18" font-weight="600">${escaped(title)}</text>`,
    `<text x="${inner.left}" y="44">${trades} trade${trades === 1 ? "" : "s"} (▲ buys, ▼ sells), turnover ${
      dollarText(turnover18)
    }, costs ${dollarText(costs18)}</text>`,
    ...grid(dollars, times, scale),
    ...legend(played),
    // Drawn in reverse, so that the bot's line is on top.
    ...lines.map(({ equity }, place) => line({ equity, style: styles[place] ?? styles[0] }, scale)).reverse(),
    ...fills.map((fill) => mark(fill, quote.address, worthAt(fill.time), scale)),
    "</svg>",
    ""
  ].join("\n")
}
