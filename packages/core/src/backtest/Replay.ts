/**
 * Plays bars to a bot. At a bar's close it looks, and what it then has to do it does at the next bar's open: no price is known before its
 * time. What it does there it decides there, as a live bot decides again when its vault's turn comes.
 */
import type { Token } from "../chain/Token.ts"
import type { Bar } from "./PriceSeries.ts"
import { type Fill, type Portfolio, valueOf } from "./Portfolio.ts"

/** The moment between two bars. */
export interface Moment {
  /** Of the bar that closes, from 0. */
  readonly index: number
  readonly bar: Bar
  readonly next: Bar
}

/** What came of a moment. */
export interface Played<S> {
  readonly state: S
  readonly portfolio: Portfolio
  readonly fills: ReadonlyArray<Fill>
}

/** A bot: what it makes of a moment, by what it remembers and holds. */
export type Bot<S> = (state: S, portfolio: Portfolio, moment: Moment) => Played<S>

/** What all is worth at a bar's close. USD, 18 decimals. */
export interface Equity {
  readonly time: number
  readonly usd18: bigint
  readonly portfolio: Portfolio
}

export interface Outcome {
  readonly fills: ReadonlyArray<Fill>
  /** One a bar. */
  readonly equity: ReadonlyArray<Equity>
}

export const replay = <S>(bars: ReadonlyArray<Bar>, tokens: ReadonlyArray<Token>, start: Portfolio, begin: S, bot: Bot<S>): Outcome => {
  const fills: Array<Fill> = []
  const equity: Array<Equity> = []
  let [state, portfolio] = [begin, start]
  bars.forEach((bar, index) => {
    equity.push({ time: bar.time, usd18: valueOf(portfolio, tokens, bar.closes), portfolio })
    const next = bars[index + 1]
    if (next === undefined) return
    const played = bot(state, portfolio, { index, bar, next })
    fills.push(...played.fills)
    ;({ portfolio, state } = played)
  })
  return { fills, equity }
}

/** The equity of holding something from the first close on, never trading. */
export const held = (bars: ReadonlyArray<Bar>, tokens: ReadonlyArray<Token>, portfolio: Portfolio): ReadonlyArray<Equity> =>
  bars.map(({ closes, time }) => ({ time, usd18: valueOf(portfolio, tokens, closes), portfolio }))
