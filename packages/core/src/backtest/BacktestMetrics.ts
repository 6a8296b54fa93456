/** The metrics of a backtest: USD with 18 decimals, percentages as numbers for display. */
import type { Fill } from "./Portfolio.ts"
import type { Equity } from "./Replay.ts"

/** The largest fall of equity from a peak. */
interface Drawdown {
  /** Percent of the peak. */
  readonly percent: number
  /** Unix seconds. */
  readonly from: number
  readonly to: number
}

interface Figures {
  readonly start18: bigint
  readonly end18: bigint
  readonly pnl18: bigint
  /** Percent of the start value. */
  readonly pnlPercent: number
  readonly drawdown: Drawdown
}

/** The totals of all trades. */
interface TradeTotals {
  readonly trades: number
  /** The total value sold. */
  readonly turnover18: bigint
  readonly costs18: bigint
}

/** Computes a percentage with four decimals, rounded towards zero; 0 if `whole` is 0. */
export const percentOf = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number(part * 1_000_000n / whole) / 1e4

export const drawdownOf = (equity: ReadonlyArray<Equity>): Drawdown => {
  const first = equity[0]?.time ?? 0
  let [peak, peakTime]: [bigint, number] = [0n, first]
  let worst: Drawdown = { percent: 0, from: first, to: first }
  for (const { time, usd18 } of equity) {
    if (usd18 > peak) [peak, peakTime] = [usd18, time]
    const percent = percentOf(peak - usd18, peak)
    if (percent > worst.percent) worst = { percent, from: peakTime, to: time }
  }
  return worst
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
    drawdown: drawdownOf(equity)
  }
}

export const tradedOf = (fills: ReadonlyArray<Fill>): TradeTotals => ({
  trades: fills.length,
  turnover18: fills.reduce((sum, { usd18 }) => sum + usd18, 0n),
  costs18: fills.reduce((sum, { cost18 }) => sum + cost18, 0n)
})
