/**
 * `vault-trader backtest --candles prices.csv --side long […]`: simulates a bot over these prices, with the live bots'
 * own decisions. Prints figures and trades; with --out it writes trades.csv, equity.csv and chart.svg. See
 * docs/backtest.md.
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { type BacktestFlags, backtestFlags } from "./backtest/BacktestFlags.ts"
import { optionsOf } from "./backtest/BacktestOptions.ts"
import * as Chart from "./backtest/Chart.ts"
import * as Csv from "./backtest/Csv.ts"
import * as Files from "./backtest/Files.ts"
import { play } from "./backtest/Play.ts"
import * as Table from "./backtest/Table.ts"

const say = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

const playAndReport = Effect.fnUntraced(function*(flags: BacktestFlags) {
  const options = yield* optionsOf(flags)
  const played = yield* play(options)
  yield* say(Table.text(played))
  if (options.out === null) return
  const written = yield* Files.write(options.out, {
    "trades.csv": Csv.trades(played),
    "equity.csv": Csv.equity(played),
    "chart.svg": Chart.svg(played)
  })
  yield* say(`\nWrote ${written.join(", ")}.`)
})

export const backtest = Command.make("backtest", backtestFlags, playAndReport).pipe(
  Command.withDescription("Shows what a threshold or an index bot would have done with past prices."),
  Command.withExamples([
    { command: "vault-trader backtest --candles weth.csv --pair WETH-USDC --side long" },
    { command: "vault-trader backtest --bot index --candles WETH=weth.csv --targets WETH:60,USDC:40" }
  ])
)
