/**
 * The sample files of docs/backtest.md: invented prices, the same on every machine (`npm run docs` writes them). A
 * random walk of six-hour bars from a seeded generator around slow waves, and signals as a chart's alert sends them:
 * where two moving averages cross.
 */
import * as Path from "node:path"
import { isoText } from "@vault-trader/core/backtest/BacktestCsv"
import * as SeededRandom from "../../SeededRandom.ts"

export const folder = Path.join(import.meta.dirname, "sample")

const bars = 480
const step = 6 * 3_600
/** 2026-01-01T00:00:00Z. */
const begin = 1_767_225_600

interface Shape {
  readonly seed: number
  readonly price: number
  /** Period of the slow wave, in bars. */
  readonly period: number
  /** Size of a bar's random change, and of the wave's. */
  readonly noise: number
  readonly drift: number
}

interface Row {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** A triangle wave between -1 and 1: unlike a sine it is the same on every machine to the last bit. */
const wave = (place: number, period: number) => 4 * Math.abs((place / period) % 1 - 0.5) - 1

const walk = ({ drift, noise, period, price, seed }: Shape): ReadonlyArray<Row> => {
  const chance = SeededRandom.make(seed).next
  const cents = (value: number) => Math.round(value * 100) / 100
  let last = price
  return Array.from({ length: bars }, (_, place) => {
    const open = last
    const close = cents(open * (1 + drift * wave(place, period) + noise * (chance() + chance() - 1)))
    const reach = noise * chance() / 2
    last = close
    return {
      time: begin + place * step,
      open,
      high: cents(Math.max(open, close) * (1 + reach)),
      low: cents(Math.min(open, close) * (1 - reach)),
      close,
      volume: Math.round(500 + 1_000 * chance())
    }
  })
}

const weth = walk({ seed: 7, price: 3_000, period: 190, noise: 0.016, drift: 0.004 })
const wbtc = walk({ seed: 11, price: 60_000, period: 260, noise: 0.011, drift: 0.0025 })

const average = (rows: ReadonlyArray<Row>, place: number, length: number) =>
  rows.slice(place + 1 - length, place + 1).reduce((sum, { close }) => sum + close, 0) / length

/** When the fast average crosses the slow one at a bar's close, a signal is sent at the beginning of the next bar. */
const signals = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const [fast, slow] = [12, 48]
  let side = ""
  return rows.flatMap(({ time }, place) => {
    if (place + 1 < slow) return []
    const now = average(rows, place, fast) > average(rows, place, slow) ? "long" : "neutral"
    if (now === side) return []
    side = now
    return [`${isoText(time + step)},${now}`]
  })
}

const csv = (rows: ReadonlyArray<Row>) =>
  [
    "time,open,high,low,close,volume",
    ...rows.map(({ close, high, low, open, time, volume }) =>
      [isoText(time), open, high, low, close, volume].join(",")
    ),
    ""
  ].join("\n")

export const files: Readonly<Record<string, string>> = {
  "weth.csv": csv(weth),
  "wbtc.csv": csv(wbtc),
  "signals.csv": ["time,side", ...signals(weth), ""].join("\n")
}
