/** The report of a run: figures, curves, trades, and the files of the command: `trades.csv` and `equity.csv`. */
import * as BacktestCsv from "@vault-trader/core/backtest/BacktestCsv"
import { figuresOf, tradedOf } from "@vault-trader/core/backtest/BacktestMetrics"
import { format, usd } from "@vault-trader/core/chain/Quantity"
import * as Result from "effect/Result"
import type { Curve, Fault, Job, Report } from "./BacktestJob.ts"
import { type Played, prepare } from "./BacktestRun.ts"

interface NamedEquity extends BacktestCsv.NamedEquity {
  readonly held: string | null
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
      csv: { trades: BacktestCsv.trades(outcome.fills), equity: BacktestCsv.equity(named, played.tokens) }
    }
  })
