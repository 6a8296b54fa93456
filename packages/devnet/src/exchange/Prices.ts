/** What things are worth on the fake exchange: the same curve every time, with a candle for every minute of the past. */
import * as Decimal from "./Decimal.ts"

/** A market. Steps and minimum as the API tells them. */
export interface Listing {
  readonly base: string
  readonly quote: string
  readonly price: number
  /** Smallest steps of price and quantity. */
  readonly tick: number
  readonly step: number
  /** Least value of an order, in the quote. */
  readonly minNotional: number
}

const listing = (base: string, quote: string, price: number, tick: number, step: number, minNotional: number): Listing =>
  ({ base, quote, price, tick, step, minNotional })

export const listings: ReadonlyArray<Listing> = [
  listing("BTC", "USDT", 60_000, 0.01, 0.00001, 5),
  listing("ETH", "USDT", 3_000, 0.01, 0.0001, 5),
  listing("SOL", "USDT", 150, 0.01, 0.001, 5),
  listing("BTC", "USDC", 60_000, 0.01, 0.00001, 5),
  listing("ETH", "USDC", 3_000, 0.01, 0.0001, 5),
  listing("BTC", "USD", 60_000, 0.01, 0.00000001, 1),
  listing("ETH", "USD", 3_000, 0.01, 0.00000001, 1),
  listing("ETH", "BTC", 0.05, 0.00001, 0.0001, 0.0001)
]

const day = 86_400_000
/** Repeatable noise between −1 and 1. */
const noise = (minute: number): number => {
  const x = Math.sin(minute * 12.9898) * 43_758.5453
  return 2 * (x - Math.floor(x)) - 1
}

/** The curve at a moment, unix milliseconds. */
export const at = ({ price }: Listing, millis: number): number =>
  price * (1 + 0.1 * Math.sin(2 * Math.PI * millis / (30 * day)) + 0.02 * Math.sin(2 * Math.PI * millis / day) + 0.001 * noise(Math.floor(millis / 60_000)))

export interface Candle {
  /** Unix milliseconds. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** The candle that opens at `time` and lasts so many milliseconds. */
export const candle = (of: Listing, time: number, lasts: number): Candle => {
  const open = at(of, time)
  const close = at(of, time + lasts)
  const between = [0.25, 0.5, 0.75].map((part) => at(of, time + part * lasts))
  const round = (value: number) => Number(value.toFixed(of.tick < 0.01 ? 5 : 2))
  return {
    time,
    open: round(open),
    high: round(Math.max(open, close, ...between)),
    low: round(Math.min(open, close, ...between)),
    close: round(close),
    volume: Number((10 + 5 * noise(Math.floor(time / lasts))).toFixed(3))
  }
}

/** Half the spread, as part of the price. */
const halfSpread = 0.0002

export const bid = (of: Listing, price: number): bigint => Decimal.toStep(Decimal.of(price * (1 - halfSpread)), Decimal.of(of.tick))
export const ask = (of: Listing, price: number): bigint => Decimal.toStep(Decimal.of(price * (1 + halfSpread)), Decimal.of(of.tick))
