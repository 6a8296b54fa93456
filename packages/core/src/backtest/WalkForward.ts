/**
 * A sweep of a strategy's inputs with a walk-forward split: a train window picks the inputs, and the window after it,
 * which the choice has not seen, measures them. Then both move on by a test window.
 */
import * as Effect from "effect/Effect"
import type { Input } from "../strategy/Strategy.ts"
import type { InputValue, InputValues, StrategyDescription } from "../strategy/StrategyInputs.ts"
import { figuresOf } from "./BacktestMetrics.ts"
import type { Outcome } from "./Replay.ts"

/** Measures that judge a train window. `calmar`: the return by the greatest fall. */
export const objectives = ["sharpe", "return", "calmar"] as const
export type Objective = (typeof objectives)[number]

/** Most combinations of inputs in a sweep. */
export const maxCombinations = 1_000

/** Values of each input that is swept, in order. */
export type Grid = Readonly<Record<string, ReadonlyArray<InputValue>>>

/** A window of bars: from an index to before another one. */
export interface Window {
  readonly from: number
  readonly to: number
}

export interface Fold {
  readonly train: Window
  readonly test: Window
}

/** Figures of one run; percentages. */
export interface RunFigures {
  readonly percent: number
  readonly drawdown: number
  readonly sharpe: number | null
  readonly trades: number
}

export interface FoldResult extends Fold {
  readonly inputs: InputValues
  readonly trained: RunFigures
  readonly tested: RunFigures
}

export interface SweepResult {
  readonly folds: ReadonlyArray<FoldResult>
  readonly combinations: number
  /** The test windows one after the other, percent. */
  readonly percent: number
  /** Test windows that gained. */
  readonly gained: number
}

/** Returns all combinations of a grid's values. */
export const combinationsOf = (grid: Grid): ReadonlyArray<InputValues> =>
  Object.entries(grid).reduce<ReadonlyArray<InputValues>>(
    (found, [name, values]) => found.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}]
  )

const rangeOf = (text: string): ReadonlyArray<number> | undefined => {
  const [, from, to, step = "1"] = /^(-?[\d.]+)\.\.(-?[\d.]+)(?::([\d.]+))?$/.exec(text) ?? []
  const [first, last, by] = [Number(from), Number(to), Number(step)]
  if (from === undefined || !Number.isFinite(first) || !(last >= first) || !(by > 0)) return undefined
  const count = Math.floor((last - first) / by + 1e-9) + 1
  return count > maxCombinations ?
    undefined :
    Array.from({ length: count }, (_, index) => Number((first + index * by).toPrecision(12)))
}

const valueOf = (input: Input, word: string): InputValue =>
  input.type === "boolean" ? word === "true" : input.type === "choice" ? word : Number(word)

/** Parses `5..20:5` (from, to, step) or `5|10|20`; undefined when it is neither, or not of the input's kind. */
export const readValues = (input: Input, text: string): ReadonlyArray<InputValue> | undefined => {
  const range = input.type === "boolean" || input.type === "choice" ? undefined : rangeOf(text)
  if (range !== undefined) return range
  const words = text.split("|").map((word) => word.trim())
  if (text.includes("..") || words.some((word) => word === "")) return undefined
  if (input.type === "boolean" && words.some((word) => word !== "true" && word !== "false")) return undefined
  const values = words.map((word) => valueOf(input, word))
  return values.some((value) => typeof value === "number" && !Number.isFinite(value)) ? undefined : values
}

/** Returns the inputs of a strategy that a grid's name is one of; for messages. */
export const inputNames = ({ inputs }: StrategyDescription): string => Object.keys(inputs).join(", ")

/** Splits bars into folds: as many whole test windows as fit behind the first train window. */
export const foldsOf = (bars: number, train: number, test: number): ReadonlyArray<Fold> => {
  const folds: Array<Fold> = []
  for (let from = 0; from + train + test <= bars; from += test) {
    folds.push({ train: { from, to: from + train }, test: { from: from + train, to: from + train + test } })
  }
  return folds
}

export const runFiguresOf = ({ equity, fills }: Outcome): RunFigures => {
  const { drawdown, pnlPercent, statistics } = figuresOf(equity)
  return { percent: pnlPercent, drawdown: drawdown.percent, sharpe: statistics.sharpe, trades: fills.length }
}

/** Returns how good a run is; a run without enough bars or risk counts by its return alone. */
const scoreOf = ({ drawdown, percent, sharpe }: RunFigures, objective: Objective): number => {
  switch (objective) {
    case "return":
      return percent
    case "sharpe":
      return sharpe ?? (percent === 0 ? 0 : Math.sign(percent) * 1e-6)
    case "calmar":
      return drawdown === 0 ? percent : percent / Math.abs(drawdown)
  }
}

/** Runs a sweep. `evaluate` runs the strategy with these inputs over a window. */
export const sweep = <E>(
  folds: ReadonlyArray<Fold>,
  candidates: ReadonlyArray<InputValues>,
  objective: Objective,
  evaluate: (inputs: InputValues, window: Window) => Effect.Effect<Outcome, E>
): Effect.Effect<SweepResult, E> =>
  Effect.gen(function*() {
    const results = yield* Effect.forEach(folds, ({ test, train }) =>
      Effect.gen(function*() {
        const runs = yield* Effect.forEach(candidates, (inputs) =>
          Effect.map(evaluate(inputs, train), (outcome) => {
            const figures = runFiguresOf(outcome)
            return { inputs, figures, score: scoreOf(figures, objective) }
          }))
        // Of equal ones the first: a sweep is repeatable.
        const best = runs.reduce((one, other) => other.score > one.score ? other : one)
        const tested = runFiguresOf(yield* evaluate(best.inputs, test))
        return { train, test, inputs: best.inputs, trained: best.figures, tested }
      }))
    return {
      folds: results,
      combinations: candidates.length,
      percent: (results.reduce((whole, { tested }) => whole * (1 + tested.percent / 100), 1) - 1) * 100,
      gained: results.filter(({ tested }) => tested.percent > 0).length
    }
  })
