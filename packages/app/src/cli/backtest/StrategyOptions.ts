/** Checks how the flags of a strategy's backtest fit together. */
import type { Objective } from "@vault-trader/core/backtest/WalkForward"
import { symbolOf } from "@vault-trader/core/chain/Token"
import { defaults } from "@vault-trader/core/strategy/StrategyBot"
import * as BigDecimal from "effect/BigDecimal"
import * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import type { BacktestFlags } from "./BacktestFlags.ts"
import { type Common, commonOf, kebabOf } from "./BacktestOptions.ts"

export interface StrategyBacktest extends Common {
  readonly strategy: string
  readonly candles: ReadonlyArray<{ readonly symbol: string; readonly file: string }>
  readonly quote: string
  readonly inputs: Readonly<Record<string, string>>
  readonly tolerance: number
  readonly minTradeUsd: BigDecimal.BigDecimal
  /** Ranges of inputs as they were written; null for one run. */
  readonly sweep: {
    readonly ranges: Readonly<Record<string, string>>
    readonly train: number
    readonly test: number
    readonly objective: Objective
  } | null
}

const refuse = (message: string) => new CliError.ValidationError({ message })

const sourcesOf = (candles: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    if (candles.length === 0) {
      return yield* refuse("--candles is missing: name a file of prices for each asset, as --candles WETH=weth.csv.")
    }
    const named = yield* Effect.forEach(candles, (word) => {
      const [, symbol, file] = /^([A-Za-z0-9.]{1,20})=(.+)$/.exec(word) ?? []
      return symbol === undefined || file === undefined
        ? refuse(`--candles '${word}' cannot be used: a strategy names each file's asset, as --candles WETH=weth.csv.`)
        : Effect.succeed({ symbol: symbolOf(symbol), file })
    })
    const twice = named.find(({ symbol }, index) => named.findIndex((each) => each.symbol === symbol) < index)
    return twice === undefined ? named : yield* refuse(`--candles names ${twice.symbol} twice; one file is accepted.`)
  })

/** Checks the flags. Each failure is a sentence that names the flag and the values it accepts. */
export const strategyOptionsOf = (flags: BacktestFlags): Effect.Effect<StrategyBacktest, CliError.ValidationError> =>
  Effect.gen(function*() {
    const { minTradeUsd, quote, tolerance, ...others } = flags.indexOnly
    const foreign = Object.entries({ ...flags.thresholdOnly, ...flags.orderOnly, ...others }).find(([, value]) =>
      value !== undefined
    )
    if (foreign !== undefined) return yield* refuse(`--${kebabOf(foreign[0])} is not an option of a strategy.`)
    const { inputs = {}, objective, strategy, sweep, test, train } = flags.strategyOnly
    if (strategy === undefined) {
      return yield* refuse(
        "--strategy is missing: name a file, or a strategy of STRATEGY_DIR, as --strategy ema-cross."
      )
    }
    if (sweep === undefined && (objective ?? test ?? train) !== undefined) {
      return yield* refuse("--train, --test and --objective belong to --sweep: name the inputs to try.")
    }
    return {
      ...{ ...commonOf(flags), strategy, inputs, candles: yield* sourcesOf(flags.candles) },
      quote: quote ?? symbolOf(defaults.quote),
      tolerance: tolerance ?? defaults.tolerance,
      minTradeUsd: minTradeUsd ?? BigDecimal.fromStringUnsafe(defaults.minTradeUsd),
      sweep: sweep === undefined
        ? null
        : { ranges: sweep, train: train ?? 500, test: test ?? 100, objective: objective ?? "sharpe" }
    }
  })
