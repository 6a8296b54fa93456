/**
 * `vault-trader backtest --candles prices.csv --side long […]`: simulates a bot over these prices, with the live
 * bots' and orders' own decisions. Prints figures and trades; with --out it writes trades.csv, equity.csv and chart.svg. See
 * docs/backtest.md.
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { type BacktestFlags, backtestFlags } from "./backtest/BacktestFlags.ts"
import { optionsOf } from "./backtest/BacktestOptions.ts"
import * as Chart from "./backtest/Chart.ts"
import * as BacktestCsv from "@vault-trader/core/backtest/BacktestCsv"
import * as Files from "./backtest/Files.ts"
import { type BacktestResult, play } from "./backtest/Play.ts"
import { strategyOptionsOf } from "./backtest/StrategyOptions.ts"
import * as StrategyPlay from "./backtest/StrategyPlay.ts"
import * as SweepTable from "./backtest/SweepTable.ts"
import * as Table from "./backtest/Table.ts"

const say = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

const report = Effect.fnUntraced(function*(played: BacktestResult, out: string | null) {
  yield* say(Table.text(played))
  if (out === null) return
  const written = yield* Files.write(out, {
    "trades.csv": BacktestCsv.trades(played.fills),
    "equity.csv": BacktestCsv.equity(played.lines, played.tokens),
    "chart.svg": Chart.svg(played),
    ...(played.decisions === undefined ? {} : { "decisions.csv": BacktestCsv.decisions(played.decisions) })
  })
  yield* say(`\nWrote ${written.join(", ")}.`)
})

const playStrategy = Effect.fnUntraced(function*(flags: BacktestFlags) {
  const options = yield* strategyOptionsOf(flags)
  if (options.sweep !== null) return yield* say(SweepTable.text(yield* StrategyPlay.sweep(options)))
  yield* report(yield* StrategyPlay.play(options), options.out)
})

const playAndReport = Effect.fnUntraced(function*(flags: BacktestFlags) {
  if (flags.bot === "strategy") return yield* playStrategy(flags)
  const options = yield* optionsOf(flags)
  yield* report(yield* play(options), options.out)
})

export const backtest = Command.make("backtest", backtestFlags, playAndReport).pipe(
  Command.withDescription("Shows what a bot, a strategy or an order would have done with past prices."),
  Command.withExamples([
    { command: "vault-trader backtest --candles weth.csv --pair WETH-USDC --side long" },
    { command: "vault-trader backtest --bot index --candles WETH=weth.csv --targets WETH:60,USDC:40" },
    { command: "vault-trader backtest --bot strategy --strategy ema-cross --candles WETH=weth.csv --inputs fast=8" },
    {
      command:
        "vault-trader backtest --bot order --candles weth.csv --order 'type=trailing_stop side=sell share=100 trail_percent=8'"
    }
  ])
)
