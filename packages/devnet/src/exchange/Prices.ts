/** Prices on the fake exchange: a deterministic curve, with a candle for every minute of the past. */
import * as Decimal from "./Decimal.ts"

/** A market, with the steps and the minimum that the API reports. */
export interface Listing {
  readonly base: string
  readonly quote: string
  readonly price: number
  /** Smallest steps of price and quantity. */
  readonly tick: number
  readonly step: number
  /** Minimum value of an order, in the quote. */
  readonly minNotional: number
}

const listing = (
  base: string,
  quote: string,
  price: number,
  tick: number,
  step: number,
  minNotional: number
): Listing => ({ base, quote, price, tick, step, minNotional })

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
/** Returns repeatable noise between −1 and 1. */
const noise = (minute: number): number => {
  const x = Math.sin(minute * 12.9898) * 43_758.5453
  return 2 * (x - Math.floor(x)) - 1
}

/** Returns the price at a time in unix milliseconds. */
export const at = ({ price }: Listing, millis: number): number =>
  price *
  (1 + 0.1 * Math.sin(2 * Math.PI * millis / (30 * day)) + 0.02 * Math.sin(2 * Math.PI * millis / day) +
    0.001 * noise(Math.floor(millis / 60_000)))

interface Candle {
  /** Unix milliseconds. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Returns the candle that opens at `time` and covers `duration` milliseconds. */
export const candle = (of: Listing, time: number, duration: number): Candle => {
  const open = at(of, time)
  const close = at(of, time + duration)
  const between = [0.25, 0.5, 0.75].map((part) => at(of, time + part * duration))
  const round = (value: number) => Number(value.toFixed(of.tick < 0.01 ? 5 : 2))
  return {
    time,
    open: round(open),
    high: round(Math.max(open, close, ...between)),
    low: round(Math.min(open, close, ...between)),
    close: round(close),
    volume: Number((10 + 5 * noise(Math.floor(time / duration))).toFixed(3))
  }
}

/** Half the spread, as a fraction of the price. */
const halfSpread = 0.0002

export const bid = (of: Listing, price: number): bigint =>
  Decimal.toStep(Decimal.of(price * (1 - halfSpread)), Decimal.of(of.tick))
export const ask = (of: Listing, price: number): bigint =>
  Decimal.toStep(Decimal.of(price * (1 + halfSpread)), Decimal.of(of.tick))
