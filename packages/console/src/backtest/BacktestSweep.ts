/** Runs all combinations of a sweep over the same prices, and with windows the walk-forward split of the command. */
import * as WalkForward from "@vault-trader/core/backtest/WalkForward"
import type { Input } from "@vault-trader/core/strategy/Strategy"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Fault, Figures, Objective, SweepJob, SweepRow, Swept, Values, WalkReport } from "./BacktestJob.ts"
import { prepare } from "./BacktestRun.ts"

export const { maxCombinations } = WalkForward

/** Parameters whose values are times, as `6h`. */
const times = new Set(["interval", "duration", "expires_in"])
const inputOf = (name: string): Input =>
  times.has(name) ? { type: "choice", default: "", choices: [] } : { type: "number", default: 0 }

/** Returns how many values a range has, also of one that is longer than a sweep may be; undefined if it is no range. */
const lengthOf = (text: string): number | undefined => {
  const [, from, to, step = "1"] = /^(-?[\d.]+)\.\.(-?[\d.]+)(?::([\d.]+))?$/.exec(text) ?? []
  const [first, last, by] = [Number(from), Number(to), Number(step)]
  return from === undefined || !Number.isFinite(first) || !(last >= first) || !(by > 0)
    ? undefined
    : Math.floor((last - first) / by + 1e-9) + 1
}

/** Reads the values of a parameter. */
const valuesOf = ({ name, values }: Swept): Result.Result<ReadonlyArray<string>, Fault> => {
  const text = values.trim()
  const length = times.has(name) ? undefined : lengthOf(text)
  if (length !== undefined && length > maxCombinations) {
    return Result.fail({ code: "combinations", count: length, max: maxCombinations })
  }
  const found = WalkForward.readValues(inputOf(name), text)
  return found === undefined
    ? Result.fail({ code: "range", name, value: text })
    : Result.succeed([...new Set(found.map(String))])
}

/** Returns the values of every combination. */
export const combinationsOf = (swept: ReadonlyArray<Swept>): Result.Result<ReadonlyArray<Values>, Fault> =>
  Result.gen(function*() {
    if (swept.length === 0) return yield* Result.fail<Fault>({ code: "nothingToSweep" })
    const grid: Record<string, ReadonlyArray<string>> = {}
    for (const each of swept) grid[each.name] = yield* valuesOf(each)
    const count = Object.values(grid).reduce((product, { length }) => product * length, 1)
    if (count > maxCombinations) {
      return yield* Result.fail<Fault>({ code: "combinations", count, max: maxCombinations })
    }
    return WalkForward.combinationsOf(grid) as ReadonlyArray<Values>
  })

/** Returns how good a run is; a run without enough bars or risk counts by its return alone, as in the walk-forward split. */
export const scoreOf = ({ drawdown, percent, sharpe }: Figures, objective: Objective): number => {
  switch (objective) {
    case "return":
      return percent
    case "sharpe":
      return sharpe ?? (percent === 0 ? 0 : Math.sign(percent) * 1e-6)
    case "calmar":
      return drawdown === 0 ? percent : percent / Math.abs(drawdown)
  }
}

/** Runs every combination over all bars. `report` gets each row as soon as it is known. */
export const sweep = (
  job: SweepJob,
  report: (row: SweepRow, done: number, of: number) => void
): Result.Result<ReadonlyArray<SweepRow>, Fault> =>
  Result.gen(function*() {
    const combinations = yield* combinationsOf(job.swept)
    const { bars, play } = yield* prepare(job)
    const rows: Array<SweepRow> = []
    for (const values of combinations) {
      const { outcome } = yield* play({ ...job.values, ...values }, { from: 0, to: bars.length })
      const figures = WalkForward.runFiguresOf(outcome)
      const row = { values, figures, score: scoreOf(figures, job.objective) }
      rows.push(row)
      report(row, rows.length, combinations.length)
    }
    return rows
  })

/** Runs the walk-forward split: the best of each train window is measured in the test window after it. */
export const walk = (
  { objective, ...job }: SweepJob,
  windows: NonNullable<SweepJob["windows"]>,
  report: (done: number, of: number) => void
): Result.Result<WalkReport, Fault> =>
  Result.gen(function*() {
    const combinations = yield* combinationsOf(job.swept)
    const { bars, play } = yield* prepare(job)
    const { test, train } = windows
    if (!(Number.isInteger(train) && train > 1)) {
      return yield* Result.fail<Fault>({ code: "value", name: "train", value: String(train) })
    }
    if (!(Number.isInteger(test) && test > 1)) {
      return yield* Result.fail<Fault>({ code: "value", name: "test", value: String(test) })
    }
    const folds = WalkForward.foldsOf(bars.length, train, test)
    if (folds.length === 0) {
      return yield* Result.fail<Fault>({ code: "windows", bars: bars.length, needed: train + test })
    }
    let done = 0
    const evaluate = (values: Record<string, unknown>, window: WalkForward.Window) => {
      done += 1
      report(done, folds.length * (combinations.length + 1))
      return Effect.map(
        Effect.fromResult(play({ ...job.values, ...values as Values }, window)),
        ({ outcome }) => outcome
      )
    }
    const ran = Effect.runSync(Effect.result(WalkForward.sweep(folds, combinations, objective, evaluate)))
    return yield* Result.map(ran, ({ folds: results, gained, percent }): WalkReport => ({
      ...{ combinations: combinations.length, gained, percent },
      folds: results.map(({ inputs, test: window, tested, trained }) => ({
        ...{ values: inputs as Values, tested, trained },
        from: bars[window.from]?.time ?? 0,
        to: bars[window.to - 1]?.time ?? 0
      }))
    }))
  })
