/** Prices of several tokens, bar by bar. A bar exists only when every token has a candle at its time. */
import type { Address } from "../chain/Address.ts"
import { Token } from "../chain/Token.ts"
import type { Side } from "../threshold-bot/ThresholdBot.ts"
import type { Candle, Signal } from "./Candle.ts"

/** USD per whole token, 18 decimals. */
export type Prices = ReadonlyMap<Address, bigint>

export interface Bar {
  /** The start of the bar, unix seconds. */
  readonly time: number
  readonly opens: Prices
  readonly closes: Prices
}

interface Listed {
  readonly token: Token
  readonly candles: ReadonlyArray<Candle>
}

/** The price of the quote. */
export const dollar = 10n ** 18n

/** Creates a token that exists on no chain. The quote has 6 decimals, like dollars on chains. */
export const tokenOf = (symbol: string, place: number, decimals = 18): Token =>
  Token.make({ address: `0x${(place + 1).toString(16).padStart(40, "0")}`, symbol, decimals })

/**
 * Returns the bars that all tokens have, with the quote always at one dollar. `left` counts the times at which a token
 * has no candle.
 */
export const alignBars = (
  listed: ReadonlyArray<Listed>,
  quote: Token
): { readonly bars: ReadonlyArray<Bar>; readonly left: number } => {
  const byTime = listed.map(({ candles, token }) => ({
    token,
    at: new Map(candles.map((candle) => [candle.time, candle]))
  }))
  const times = [...new Set(listed.flatMap(({ candles }) => candles.map(({ time }) => time)))].sort((a, b) => a - b)
  const commonTimes = times.filter((time) => byTime.every(({ at }) => at.has(time)))
  const bars = commonTimes.map((time): Bar => {
    const prices = (of: "open" | "close"): Prices =>
      new Map([
        [quote.address, dollar],
        ...byTime.map(({ at, token }) => [token.address, at.get(time)?.[of] ?? 0n] as const)
      ])
    return { time, opens: prices("open"), closes: prices("close") }
  })
  return { bars, left: times.length - commonTimes.length }
}

/**
 * Returns the side to keep at each bar's close, from signals. A signal takes effect at the first close whose trade is
 * at or after the signal's time, so that nothing is traded before its signal.
 */
export const sidesBy = (
  times: ReadonlyArray<number>,
  first: Side,
  signals: ReadonlyArray<Signal>
): ReadonlyArray<Side> => {
  let [side, next] = [first, 0]
  return times.map((_, index) => {
    const until = times[index + 1] ?? times[index] ?? 0
    for (; next < signals.length && signals[next]!.time <= until; next++) side = signals[next]!.side
    return side
  })
}

/**
 * Returns the side to keep at each bar's close, from the candles' side column. A bar's side takes effect at that bar's
 * close.
 */
export const sidesIn = (candles: ReadonlyArray<Candle>, first: Side): ReadonlyArray<Side> => {
  let side = first
  return candles.map((candle) => side = candle.side ?? side)
}
