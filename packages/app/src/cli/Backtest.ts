/**
 * `npm run backtest -- --candles prices.csv --side long […]`: simulates a bot over these prices, with the live bots'
 * own decisions. Prints figures and trades; with --out it writes trades.csv, equity.csv and chart.svg. See
 * docs/backtest.md.
 */
import * as Effect from "effect/Effect"
import * as Arguments from "./backtest/Arguments.ts"
import * as Chart from "./backtest/Chart.ts"
import * as Csv from "./backtest/Csv.ts"
import * as Files from "./backtest/Files.ts"
import { play } from "./backtest/Play.ts"
import * as Table from "./backtest/Table.ts"
import { run } from "../Command.ts"

const say = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

const command = (asked: Arguments.Backtest) =>
  Effect.gen(function*() {
    const played = yield* play(asked)
    yield* say(Table.text(played))
    if (asked.out === null) return
    const written = yield* Files.write(asked.out, {
      "trades.csv": Csv.trades(played),
      "equity.csv": Csv.equity(played),
      "chart.svg": Chart.svg(played)
    })
    yield* say(`\nWrote ${written.join(", ")}.`)
  })

const words = process.argv.slice(2)

const main = (words.includes("--help") ? say(Arguments.usage) : Effect.flatMap(Arguments.read(words), command)).pipe(
  Effect.tapError((failure) => Effect.sync(() => process.stderr.write(`${failure.message}\n`)))
)

run(main)
