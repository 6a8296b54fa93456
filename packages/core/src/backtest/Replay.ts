/**
 * Replays bars to a bot. The bot checks at a bar's close and trades at the next bar's open, so no price is known before
 * its time. At the open it decides again, as a live bot does when its turn runs.
 */
import type { Token } from "../chain/Token.ts"
import type { Bar } from "./PriceSeries.ts"
import { type Fill, type Portfolio, valueOf } from "./Portfolio.ts"

/** The point in time between two bars. */
interface Moment {
  /** The index of the bar that closes, from 0. */
  readonly index: number
  readonly bar: Bar
  readonly next: Bar
}

/** The bot's state and holdings after a moment. */
interface BotState<S> {
  readonly state: S
  readonly portfolio: Portfolio
  readonly fills: ReadonlyArray<Fill>
}

/** A bot: a function of its state, its holdings and a moment. */
export type Bot<S> = (state: S, portfolio: Portfolio, moment: Moment) => BotState<S>

/** The portfolio's value at a bar's close, USD with 18 decimals. */
export interface Equity {
  readonly time: number
  readonly usd18: bigint
  readonly portfolio: Portfolio
}

export interface Outcome {
  readonly fills: ReadonlyArray<Fill>
  /** One entry per bar. */
  readonly equity: ReadonlyArray<Equity>
}

export const replay = <S>(
  bars: ReadonlyArray<Bar>,
  tokens: ReadonlyArray<Token>,
  start: Portfolio,
  begin: S,
  bot: Bot<S>
): Outcome => {
  const fills: Array<Fill> = []
  const equity: Array<Equity> = []
  let [state, portfolio] = [begin, start]
  bars.forEach((bar, index) => {
    equity.push({ time: bar.time, usd18: valueOf(portfolio, tokens, bar.closes), portfolio })
    const next = bars[index + 1]
    if (next === undefined) return
    const result = bot(state, portfolio, { index, bar, next })
    fills.push(...result.fills)
    ;({ portfolio, state } = result)
  })
  return { fills, equity }
}

/** Computes the equity of holding a portfolio from the first close without trading. */
export const holdEquity = (
  bars: ReadonlyArray<Bar>,
  tokens: ReadonlyArray<Token>,
  portfolio: Portfolio
): ReadonlyArray<Equity> =>
  bars.map(({ closes, time }) => ({ time, usd18: valueOf(portfolio, tokens, closes), portfolio }))
