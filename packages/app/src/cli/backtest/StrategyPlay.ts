/** Runs a strategy over files of prices, once or for a sweep of its inputs. */
import * as StrategyBacktest from "@vault-trader/core/backtest/StrategyBacktest"
import { alignBars, tokenOf } from "@vault-trader/core/backtest/PriceSeries"
import { holdEquity } from "@vault-trader/core/backtest/Replay"
import * as WalkForward from "@vault-trader/core/backtest/WalkForward"
import { toRaw } from "@vault-trader/core/chain/Quantity"
import type { StrategyFailure } from "@vault-trader/core/strategy/StrategyFailure"
import { type InputValues, resolve } from "@vault-trader/core/strategy/StrategyInputs"
import * as Sandbox from "@vault-trader/workers/strategy/Sandbox"
import * as StrategyFolder from "@vault-trader/workers/strategy/StrategyFolder"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Path from "node:path"
import { strategiesFolder } from "../../ShippedFiles.ts"
import { CannotStart } from "../../StartupFailure.ts"
import * as Files from "./Files.ts"
import { allIn, type BacktestResult, costsText, dollars, enough, fileNote, leftNote } from "./Play.ts"
import type { StrategyBacktest as Options } from "./StrategyOptions.ts"

const refused = (message: string) => new CannotStart({ message })
const asRefusal = ({ code, message }: StrategyFailure) => refused(`The strategy was stopped (${code}): ${message}.`)

/** Reads the strategy: a file, or a name in STRATEGY_DIR. */
const sourceOf = (strategy: string) =>
  Effect.gen(function*() {
    if (/[/\\.]/.test(strategy)) return yield* StrategyFolder.readFile(Path.resolve(strategy))
    const folder = yield* Effect.orDie(Config.String("STRATEGY_DIR").pipe(Config.withDefault(strategiesFolder)))
    return yield* StrategyFolder.read(folder, strategy)
  }).pipe(Effect.mapError(asRefusal))

/** Reads the files, and opens the strategy in a sandbox. */
const open = (options: Options) =>
  Effect.gen(function*() {
    const source = yield* sourceOf(options.strategy)
    const sandbox = yield* Effect.mapError(Sandbox.open(source), asRefusal)
    const quote = tokenOf(options.quote, 0, 6)
    const listed = yield* Effect.forEach(
      options.candles,
      ({ file, symbol }, place) =>
        Effect.map(
          Files.candlesFor({ symbol, strategy: source.name })(file),
          (candles) => ({ file, candles, token: tokenOf(symbol, place + 1) })
        )
    )
    const { bars, left } = alignBars(listed, quote)
    yield* enough(bars)
    const assets = listed.map(({ token }) => token)
    const { costs, maxUsd, minTradeUsd, startUsd, tolerance } = options
    const setup = {
      terms: {
        ...{ assets, quote, tolerance, slippage: costs.slippage },
        ...{ maxUsd18: toRaw(maxUsd, 18), minTradeUsd18: toRaw(minTradeUsd, 18) }
      },
      history: sandbox.description.history,
      costs,
      start: allIn(quote, startUsd, bars)
    }
    const market: StrategyBacktest.Market = {
      bars,
      candles: Object.fromEntries(listed.map(({ candles, token }) => [
        token.symbol,
        StrategyBacktest.candlesAt(candles, bars)
      ]))
    }
    const notes = [...listed.map(({ candles, file }) => fileNote(file, candles)), ...leftNote(left)]
    return { source, sandbox, quote, assets, bars, market, setup, notes }
  })

const valuesOf = (sandbox: Sandbox.Sandbox, given: Readonly<Record<string, string>>) =>
  Effect.mapError(
    Effect.fromResult(resolve(sandbox.description, given)),
    (fault) => refused(`--inputs cannot be used: ${fault}.`)
  )

/** Checks in a fresh sandbox that the last decision of a run can be repeated. */
const repeat = (source: Sandbox.StrategySource, outcome: StrategyBacktest.StrategyOutcome) =>
  Effect.mapError(
    Effect.scoped(
      Effect.flatMap(Sandbox.open(source), (fresh) => StrategyBacktest.checkRepeatable(outcome, fresh.decide))
    ),
    asRefusal
  )

const inputText = (inputs: InputValues) =>
  Object.entries(inputs).map(([name, value]) => `${name}=${String(value)}`).join(",")

/** Runs the strategy over all bars. */
export const play = (options: Options): Effect.Effect<BacktestResult, CannotStart> =>
  Effect.scoped(Effect.gen(function*() {
    const { assets, bars, market, notes, quote, sandbox, setup, source } = yield* open(options)
    const inputs = yield* valuesOf(sandbox, options.inputs)
    const outcome = yield* Effect.mapError(
      StrategyBacktest.run(market, { ...setup, inputs }, sandbox.decide),
      asRefusal
    )
    yield* repeat(source, outcome)
    return {
      title: `Strategy ${source.name} on ${assets.map(({ symbol }) => symbol).join(", ")}`,
      notes: [
        `With ${inputText(inputs)}: tolerance ${options.tolerance} points, at most ${
          dollars(options.maxUsd)
        } a decision; ${costsText(options.costs)}.`,
        ...notes
      ],
      ...{ tokens: [quote, ...assets], quote, bars, fills: outcome.fills, decisions: outcome.decisions },
      lines: [
        { name: "strategy", equity: outcome.equity },
        ...assets.map((token) => ({
          name: `hold ${token.symbol}`,
          equity: holdEquity(bars, [token], allIn(token, options.startUsd, bars))
        })),
        { name: `hold ${quote.symbol}`, equity: holdEquity(bars, [quote], allIn(quote, options.startUsd, bars)) }
      ]
    }
  }))

export interface SweepReport {
  readonly title: string
  readonly notes: ReadonlyArray<string>
  readonly times: ReadonlyArray<number>
  readonly swept: ReadonlyArray<string>
  readonly result: WalkForward.SweepResult
}

/** Reads the ranges of a sweep. */
const gridOf = (sandbox: Sandbox.Sandbox, ranges: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const grid: Record<string, WalkForward.Grid[string]> = {}
    for (const [name, text] of Object.entries(ranges)) {
      const input = sandbox.description.inputs[name]
      if (input === undefined) {
        return yield* refused(
          `--sweep names '${name}'; the strategy's inputs are ${WalkForward.inputNames(sandbox.description)}.`
        )
      }
      const values = WalkForward.readValues(input, text)
      if (values === undefined) {
        return yield* refused(`--sweep ${name}=${text} cannot be used: accepted is 5..20:5 or 5|10|20.`)
      }
      for (const value of values) yield* valuesOf(sandbox, { [name]: String(value) })
      grid[name] = values
    }
    const combinations = WalkForward.combinationsOf(grid)
    return combinations.length <= WalkForward.maxCombinations
      ? combinations
      : yield* refused(`--sweep makes ${combinations.length} combinations; at most ${WalkForward.maxCombinations}.`)
  })

/** Runs a sweep with a walk-forward split. */
export const sweep = (options: Options): Effect.Effect<SweepReport, CannotStart> =>
  Effect.scoped(Effect.gen(function*() {
    const { assets, bars, market, notes, sandbox, setup, source } = yield* open(options)
    const { objective, ranges, test, train } = options.sweep ?? { ranges: {}, train: 0, test: 0, objective: "sharpe" }
    const fixed = yield* valuesOf(sandbox, options.inputs)
    const combinations = (yield* gridOf(sandbox, ranges)).map((swept) => ({ ...fixed, ...swept }))
    const folds = WalkForward.foldsOf(bars.length, train, test)
    if (folds.length === 0) {
      return yield* refused(
        `The files have ${bars.length} common bars; --train ${train} and --test ${test} need ${train + test} at least.`
      )
    }
    const evaluate = (inputs: InputValues, window: WalkForward.Window) =>
      StrategyBacktest.run(market, { ...setup, inputs }, sandbox.decide, window)
    const result = yield* Effect.mapError(WalkForward.sweep(folds, combinations, objective, evaluate), asRefusal)
    const last = result.folds.at(-1)
    if (last !== undefined) {
      yield* repeat(source, yield* Effect.mapError(evaluate(last.inputs, last.test), asRefusal))
    }
    return {
      title: `Sweep of ${source.name} on ${assets.map(({ symbol }) => symbol).join(", ")}`,
      notes: [
        `${combinations.length} combinations, ${folds.length} windows: ${train} bars pick by ${objective}, the next ${test} ` +
        `measure; ${costsText(options.costs)}.`,
        ...notes
      ],
      times: bars.map(({ time }) => time),
      swept: Object.keys(ranges),
      result
    }
  }))
