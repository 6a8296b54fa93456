/** Asks a bot's strategy for a decision, in a sandbox of its own. */
import type { Holding, Leg } from "@vault-trader/core/index-bot/RebalancePlan"
import type { Candle, Decision, State } from "@vault-trader/core/strategy/Strategy"
import type { StrategyBot, StrategyTerms } from "@vault-trader/core/strategy/StrategyBot"
import type { CandleRow } from "@vault-trader/core/strategy/StrategyCandle"
import * as StrategyDecision from "@vault-trader/core/strategy/StrategyDecision"
import { StrategyFailure } from "@vault-trader/core/strategy/StrategyFailure"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Sandbox from "./Sandbox.ts"
import * as StrategyFolder from "./StrategyFolder.ts"

/** Converts stored candles to those of a strategy, by symbol. A candle without an asset is left out of its series. */
export const candlesOf = (
  { assets }: Pick<StrategyTerms, "assets">,
  rows: ReadonlyArray<CandleRow>
): Readonly<Record<string, ReadonlyArray<Candle>>> =>
  Object.fromEntries(assets.map(({ address, symbol }) => [
    symbol,
    rows.flatMap(({ prices, time }) => {
      const found = prices[address]
      return found === undefined ? [] : [StrategyDecision.candleOf(time, found)]
    })
  ]))

/** Builds the state of a bot at a closed candle. `rows`: all closed candles that it gets, the oldest first. */
export const stateOf = (
  { memory, terms }: Pick<StrategyBot, "memory" | "terms">,
  rows: ReadonlyArray<CandleRow>,
  held: ReadonlyArray<Holding>,
  time: number
): State =>
  StrategyDecision.stateOf(terms, {
    ...{ time, held, inputs: terms.inputs, memory },
    candles: candlesOf(terms, rows.slice(-terms.history))
  })

/** A decision, and the trades that it means now. */
interface Decided {
  readonly decision: Decision
  readonly legs: ReadonlyArray<Leg>
  readonly reason: string
}

const sentenceOf = ({ reason }: Decision, legs: ReadonlyArray<Leg>) => {
  const trades = legs.length === 0
    ? "Nothing to trade."
    : `Trades: ${legs.map(({ from, to }) => `${from.symbol} for ${to.symbol}`).join(", ")}.`
  return reason === undefined || reason === "" ? trades : `${reason} ${trades}`
}

/** Decides by the strategy of a folder, which must be the file that the bot was set with. */
export const decide = (
  folder: string,
  { digest, strategy, terms }: Pick<StrategyBot, "digest" | "strategy" | "terms">,
  state: State,
  held: ReadonlyArray<Holding>
): Effect.Effect<Decided, StrategyFailure> =>
  Effect.gen(function*() {
    const file = yield* StrategyFolder.read(folder, strategy)
    if (file.digest !== digest) {
      return yield* new StrategyFailure({
        code: "changed",
        message: `${file.file} has changed since the bot was set; set it again to run the new one`
      })
    }
    const returned = yield* Effect.scoped(
      Effect.flatMap(Sandbox.open(file), (sandbox) => sandbox.decide(state))
    )
    const decision = StrategyDecision.read(returned, terms)
    if (Result.isFailure(decision)) {
      return yield* new StrategyFailure({ code: "invalid_decision", message: `${file.file}: ${decision.failure}` })
    }
    const legs = StrategyDecision.legsOf(decision.success, terms, held)
    return Result.match(legs, {
      onFailure: (reason): Decided => ({
        decision: decision.success,
        legs: [],
        reason: `Nothing is traded: ${reason}.`
      }),
      onSuccess: (found): Decided => ({
        ...{ decision: decision.success, legs: found, reason: sentenceOf(decision.success, found) }
      })
    })
  })
