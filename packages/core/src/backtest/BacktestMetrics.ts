/** The metrics of a backtest: USD with 18 decimals, percentages as numbers for display. */
import {
  drawdownOf,
  type Fall,
  percentOf,
  type ReturnStatistics,
  statisticsOfSeries
} from "../performance/ReturnMetrics.ts"
import type { Fill } from "./Portfolio.ts"
import type { Equity } from "./Replay.ts"

interface Figures {
  readonly start18: bigint
  readonly end18: bigint
  readonly pnl18: bigint
  /** Percent of the start value. */
  readonly pnlPercent: number
  readonly drawdown: Fall
  /** Of the returns from bar to bar. */
  readonly statistics: ReturnStatistics
}

/** The totals of all trades. */
interface TradeTotals {
  readonly trades: number
  /** The total value sold. */
  readonly turnover18: bigint
  readonly costs18: bigint
}

const valuesOf = (equity: ReadonlyArray<Equity>) => equity.map(({ time, usd18 }) => ({ time, value: usd18 }))

/** Returns the distance of most bars, in seconds; 0 for fewer than two. */
const stepOf = (equity: ReadonlyArray<Equity>): number => {
  const steps = equity.slice(1).map(({ time }, index) => time - equity[index]!.time).sort((one, other) => one - other)
  return steps[Math.floor(steps.length / 2)] ?? 0
}

/** Computes the figures from a series of equity. */
export const figuresOf = (equity: ReadonlyArray<Equity>): Figures => {
  const start18 = equity[0]?.usd18 ?? 0n
  const end18 = equity.at(-1)?.usd18 ?? 0n
  return {
    start18,
    end18,
    pnl18: end18 - start18,
    pnlPercent: percentOf(end18 - start18, start18),
    drawdown: drawdownOf(valuesOf(equity)),
    statistics: statisticsOfSeries(valuesOf(equity), stepOf(equity))
  }
}

export const tradedOf = (fills: ReadonlyArray<Fill>): TradeTotals => ({
  trades: fills.length,
  turnover18: fills.reduce((sum, { usd18 }) => sum + usd18, 0n),
  costs18: fills.reduce((sum, { cost18 }) => sum + cost18, 0n)
})
