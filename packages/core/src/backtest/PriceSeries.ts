/** Prices of several tokens, bar by bar: a bar is there when every token has one at that time. */
import type { Address } from "../chain/Address.ts"
import { Token } from "../chain/Token.ts"
import type { Side } from "../threshold-bot/ThresholdBot.ts"
import type { Candle, Signal } from "./Candle.ts"

/** USD per whole token, 18 decimals. */
export type Prices = ReadonlyMap<Address, bigint>

export interface Bar {
  /** Unix seconds, of its beginning. */
  readonly time: number
  readonly opens: Prices
  readonly closes: Prices
}

export interface Listed {
  readonly token: Token
  readonly candles: ReadonlyArray<Candle>
}

/** What the quote is worth. */
export const dollar = 10n ** 18n

/** A token that is on no chain. The quote has 6 decimals, as dollars on chains do. */
export const tokenOf = (symbol: string, place: number, decimals = 18): Token =>
  Token.make({ address: `0x${(place + 1).toString(16).padStart(40, "0")}`, symbol, decimals })

/** The bars that all have; the quote is always a dollar. `left` counts times that not all have. */
export const aligned = (listed: ReadonlyArray<Listed>, quote: Token): { readonly bars: ReadonlyArray<Bar>; readonly left: number } => {
  const byTime = listed.map(({ candles, token }) => ({ token, at: new Map(candles.map((candle) => [candle.time, candle])) }))
  const times = [...new Set(listed.flatMap(({ candles }) => candles.map(({ time }) => time)))].sort((a, b) => a - b)
  const shared = times.filter((time) => byTime.every(({ at }) => at.has(time)))
  const bars = shared.map((time): Bar => {
    const prices = (of: "open" | "close"): Prices =>
      new Map([[quote.address, dollar], ...byTime.map(({ at, token }) => [token.address, at.get(time)?.[of] ?? 0n] as const)])
    return { time, opens: prices("open"), closes: prices("close") }
  })
  return { bars, left: times.length - shared.length }
}

/**
 * The side a bot is told to keep at each bar's close. A signal counts from the close whose trade comes at its time or after it: so nothing
 * is traded before it was told.
 */
export const sidesBy = (times: ReadonlyArray<number>, first: Side, signals: ReadonlyArray<Signal>): ReadonlyArray<Side> => {
  let [side, next] = [first, 0]
  return times.map((_, index) => {
    const until = times[index + 1] ?? times[index] ?? 0
    for (; next < signals.length && signals[next]!.time <= until; next++) side = signals[next]!.side
    return side
  })
}

/** The same by a column of the candles: what it says at a bar counts from that bar's close. */
export const sidesIn = (candles: ReadonlyArray<Candle>, first: Side): ReadonlyArray<Side> => {
  let side = first
  return candles.map((candle) => side = candle.side ?? side)
}
