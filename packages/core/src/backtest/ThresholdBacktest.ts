/**
 * Backtest of a threshold bot: calls the live bot's `decide` at a bar's close, as its check, and at the next open, as
 * its turn.
 */
import type { Token } from "../chain/Token.ts"
import { decide, type Leg, type Legs, type Terms } from "../threshold-bot/ThresholdDecision.ts"
import type { Side } from "../threshold-bot/ThresholdBot.ts"
import type { Bar, Prices } from "./PriceSeries.ts"
import { type Costs, heldOf, type Portfolio, swap } from "./Portfolio.ts"
import { type Bot, type Outcome, replay } from "./Replay.ts"

export interface Setup {
  readonly base: Token
  readonly quote: Token
  /** Null when the inverse token has no prices; the bot cannot go short then. */
  readonly inverse: Token | null
  /** A backtest lends nothing, because candles contain no lending rates. */
  readonly terms: Omit<Terms, "side" | "lending">
  /** The side to keep at each bar's close. */
  readonly sides: ReadonlyArray<Side>
  readonly costs: Costs
  readonly start: Portfolio
}

export const tokensOf = ({ base, inverse, quote }: Pick<Setup, "base" | "quote" | "inverse">): ReadonlyArray<Token> =>
  inverse === null ? [base, quote] : [base, quote, inverse]

const legOf = (token: Token, portfolio: Portfolio, prices: Prices): Leg => ({
  token,
  held: heldOf(portfolio, token),
  supplied: 0n,
  price: prices.get(token.address) ?? null
})

const legsOf = ({ base, inverse, quote }: Setup, portfolio: Portfolio, prices: Prices): Legs => ({
  base: legOf(base, portfolio, prices),
  quote: legOf(quote, portfolio, prices),
  inverse: inverse === null ? null : legOf(inverse, portfolio, prices)
})

const botOf = (setup: Setup): Bot<null> => (state, portfolio, { bar, index, next }) => {
  const nothing = { state, portfolio, fills: [] }
  const terms: Terms = { ...setup.terms, lending: false, side: setup.sides[index] ?? "hold" }
  if (decide(terms, legsOf(setup, portfolio, bar.closes))._tag !== "trade") return nothing
  const turn = decide(terms, legsOf(setup, portfolio, next.opens))
  if (turn._tag !== "trade") return nothing
  const { amount, from, reason, to } = turn
  const result = swap(
    portfolio,
    { time: next.time, from: from.token, to: to.token, amount, reason },
    next.opens,
    setup.costs
  )
  return result === undefined ? nothing : { state, portfolio: result[0], fills: [result[1]] }
}

export const run = (bars: ReadonlyArray<Bar>, setup: Setup): Outcome =>
  replay(bars, tokensOf(setup), setup.start, null, botOf(setup))
