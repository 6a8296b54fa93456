/** The report of a run: figures, curves, trades, and the files of the command: `trades.csv` and `equity.csv`. */
import { figuresOf, tradedOf } from "@vault-trader/core/backtest/BacktestMetrics"
import { heldOf } from "@vault-trader/core/backtest/Portfolio"
import type { Equity } from "@vault-trader/core/backtest/Replay"
import { format, usd } from "@vault-trader/core/chain/Quantity"
import * as Result from "effect/Result"
import type { Curve, Fault, Job, Report } from "./BacktestJob.ts"
import { type Played, prepare } from "./BacktestRun.ts"

/** Formats ISO 8601 without milliseconds. */
const isoText = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** Quotes a cell only when it needs it. */
const cell = (text: string) => /[",\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
const csv = (rows: ReadonlyArray<ReadonlyArray<string>>) => `${rows.map((row) => row.map(cell).join(",")).join("\n")}\n`

interface NamedEquity {
  readonly name: string
  readonly held: string | null
  readonly equity: ReadonlyArray<Equity>
}

const namedOf = ({ kind }: Job, { holds, outcome }: Played): ReadonlyArray<NamedEquity> => [
  { name: kind === "order" ? "order" : "bot", held: null, equity: outcome.equity },
  ...holds.map(({ equity, held }) => ({ name: held === null ? "hold_the_targets" : `hold_${held}`, held, equity }))
]

const curveOf = ({ equity, held, name }: NamedEquity): Curve => {
  const { drawdown, end18, pnl18, pnlPercent, start18, statistics } = figuresOf(equity)
  const { sharpe, sortino, volatility } = statistics
  return {
    ...{ name, held, values: equity.map(({ usd18 }) => usd(usd18)) },
    figures: {
      ...{ start: usd(start18), end: usd(end18), pnl: usd(pnl18), percent: pnlPercent },
      ...{ drawdown: drawdown.percent, volatility, sharpe, sortino }
    }
  }
}

const tradesCsv = ({ outcome: { fills } }: Played): string =>
  csv([
    ["time", "sold", "sold_amount", "bought", "bought_amount", "worth_usd", "cost_usd", "reason"],
    ...fills.map(({ bought, cost18, from, reason, sold, time, to, usd18 }) => [
      ...[isoText(time), from.symbol, format(sold, from.decimals), to.symbol, format(bought, to.decimals)],
      ...[format(usd18, 18), format(cost18, 18), reason]
    ])
  ])

const columnOf = (name: string) => `${name.toLowerCase().replace(/[^a-z0-9]+/g, "_")}_usd`

const equityCsv = ({ outcome, tokens }: Played, named: ReadonlyArray<NamedEquity>): string =>
  csv([
    ["time", ...named.map(({ name }) => columnOf(name)), ...tokens.map(({ symbol }) => symbol)],
    ...outcome.equity.map(({ portfolio, time }, place) => [
      isoText(time),
      ...named.map(({ equity }) => format(equity[place]?.usd18 ?? 0n, 18)),
      ...tokens.map((token) => format(heldOf(portfolio, token), token.decimals))
    ])
  ])

/** Runs a job over all its bars. */
export const reportOf = (job: Job): Result.Result<Report, Fault> =>
  Result.gen(function*() {
    const { bars, hasSideColumn, left, play, series, signals } = yield* prepare(job)
    const played = yield* play(job.values, { from: 0, to: bars.length })
    const { end, outcome, quote } = played
    const named = namedOf(job, played)
    const { costs18, turnover18 } = tradedOf(outcome.fills)
    const { from, to } = figuresOf(outcome.equity).drawdown
    return {
      ...{ kind: job.kind, hasSideColumn, left, series, signals, order: end, quote: quote.symbol },
      times: bars.map(({ time }) => time),
      curves: named.map(curveOf),
      trades: outcome.fills.map((fill) => ({
        ...{ time: fill.time, from: fill.from.symbol, to: fill.to.symbol, reason: fill.reason },
        ...{ sold: format(fill.sold, fill.from.decimals), bought: format(fill.bought, fill.to.decimals) },
        ...{ usd: usd(fill.usd18), cost: usd(fill.cost18) }
      })),
      ...{ turnover: usd(turnover18), costs: usd(costs18) },
      fall: from === to ? null : { from, to },
      csv: { trades: tradesCsv(played), equity: equityCsv(played, named) }
    }
  })
