/**
 * Backtest of a strategy: the state and the decision are those of a strategy bot. The strategy decides at a bar's close
 * and trades at the next bar's open, so no price is known before its time.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Holding } from "../index-bot/RebalancePlan.ts"
import type { Candle as StrategyCandle, Decision, Json, State } from "../strategy/Strategy.ts"
import { candleOf, type DecisionTerms, legsOf, read, stateOf, tokensOf } from "../strategy/StrategyDecision.ts"
import { StrategyFailure } from "../strategy/StrategyFailure.ts"
import type { InputValues } from "../strategy/StrategyInputs.ts"
import type { Candle } from "./Candle.ts"
import { type Costs, type Fill, heldOf, type Portfolio, swap, valueOf } from "./Portfolio.ts"
import type { Bar, Prices } from "./PriceSeries.ts"
import type { Equity, Outcome } from "./Replay.ts"

export interface Setup {
  readonly terms: DecisionTerms
  /** Candles that the strategy gets at most. */
  readonly history: number
  readonly inputs: InputValues
  readonly costs: Costs
  readonly start: Portfolio
}

/** Prices of all assets: bars, and each asset's candles of the same times, by symbol. */
export interface Market {
  readonly bars: ReadonlyArray<Bar>
  readonly candles: Readonly<Record<string, ReadonlyArray<StrategyCandle>>>
}

/** Asks a strategy. With `append`, the state has only the newest candle. */
export type Ask<E> = (state: State, append: boolean) => Effect.Effect<unknown, E>

/** A decision, and the open time of the candle that closed. */
export interface TimedDecision {
  readonly time: number
  readonly decision: Decision
}

export interface StrategyOutcome extends Outcome {
  readonly decisions: ReadonlyArray<TimedDecision>
  /** The last question, whole, and its answer: the same question must have the same answer. */
  readonly probe: { readonly state: State; readonly answer: unknown } | null
}

/** Converts the candles of a file at the times of the bars. */
export const candlesAt = (candles: ReadonlyArray<Candle>, bars: ReadonlyArray<Bar>): ReadonlyArray<StrategyCandle> => {
  const times = new Set(bars.map(({ time }) => time))
  return candles.filter(({ time }) => times.has(time)).map((candle) => candleOf(candle.time, candle))
}

const holdingsOf = (terms: DecisionTerms, portfolio: Portfolio, prices: Prices): ReadonlyArray<Holding> =>
  tokensOf(terms).map((token) => ({
    token,
    balance: heldOf(portfolio, token),
    price: prices.get(token.address) ?? null,
    inVault: true
  }))

/** Makes a decision's trades at a bar's open. */
const trade = (setup: Setup, decision: Decision, portfolio: Portfolio, bar: Bar, next: Bar) => {
  const legs = Result.getOrElse(
    legsOf(decision, setup.terms, holdingsOf(setup.terms, portfolio, bar.closes)),
    () => []
  )
  let after = portfolio
  const fills: Array<Fill> = []
  for (const { amount, from, to } of legs) {
    const reason = decision.reason ?? `${from.symbol} for ${to.symbol}`
    const made = swap(after, { time: next.time, from, to, amount, reason }, next.opens, setup.costs)
    if (made === undefined) continue
    after = made[0]
    fills.push(made[1])
  }
  return { after, fills }
}

/** Runs a strategy over the bars from `from` to before `to`; candles before `from` are its history. */
export const run = <E>(
  { bars, candles }: Market,
  setup: Setup,
  ask: Ask<E>,
  { from, to }: { readonly from: number; readonly to: number } = { from: 0, to: bars.length }
): Effect.Effect<StrategyOutcome, E | StrategyFailure> =>
  Effect.gen(function*() {
    const { history, inputs, terms } = setup
    const tokens = tokensOf(terms)
    const windowOf = (first: number, end: number) =>
      Object.fromEntries(Object.entries(candles).map(([symbol, series]) => [symbol, series.slice(first, end)]))
    let portfolio = setup.start
    let memory: Json = null
    let probe: StrategyOutcome["probe"] = null
    const [fills, equity, decisions]: [Array<Fill>, Array<Equity>, Array<TimedDecision>] = [[], [], []]
    for (let index = from; index < Math.min(to, bars.length); index++) {
      const [bar, next] = [bars[index]!, bars[index + 1]]
      equity.push({ time: bar.time, usd18: valueOf(portfolio, tokens, bar.closes), portfolio })
      if (next === undefined || index + 1 >= to) break
      const isFirst = index === from
      const held = holdingsOf(terms, portfolio, bar.closes)
      const about = { time: next.time, held, inputs, memory }
      const whole = () => stateOf(terms, { ...about, candles: windowOf(Math.max(0, index + 1 - history), index + 1) })
      const state = isFirst ? whole() : stateOf(terms, { ...about, candles: windowOf(index, index + 1) })
      const answer = yield* ask(state, !isFirst)
      const decision = read(answer, terms)
      if (Result.isFailure(decision)) {
        return yield* new StrategyFailure({ code: "invalid_decision", message: decision.failure })
      }
      if (index + 2 >= Math.min(to, bars.length)) probe = { state: whole(), answer }
      decisions.push({ time: bar.time, decision: decision.success })
      if (decision.success.memory !== undefined) memory = decision.success.memory
      const made = trade(setup, decision.success, portfolio, bar, next)
      portfolio = made.after
      fills.push(...made.fills)
    }
    return { fills, equity, decisions, probe }
  })

/**
 * Asks the last question of a run again, in a fresh sandbox. Fails when the answer is another one: the strategy then keeps
 * something outside of its memory, which a bot does not have.
 */
export const checkRepeatable = <E>(
  { probe }: StrategyOutcome,
  ask: Ask<E>
): Effect.Effect<void, E | StrategyFailure> =>
  probe === null ? Effect.void : Effect.flatMap(
    ask(probe.state, false),
    (again) =>
      JSON.stringify(again) === JSON.stringify(probe.answer) ? Effect.void : Effect.fail(
        new StrategyFailure({
          code: "not_repeatable",
          message:
            "the same state gave another decision; what a strategy keeps belongs in its memory, not in variables " +
            "of its module"
        })
      )
  )
