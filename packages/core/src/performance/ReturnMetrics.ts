/**
 * The metrics of a series of values, the same for live vaults and for backtests. Money is `bigint`; statistics are
 * numbers.
 */

/** A value at a time; `value` has 18 decimals. */
export interface Valued {
  /** Unix seconds. */
  readonly time: number
  readonly value: bigint
}

/** The largest fall from a peak. */
export interface Fall {
  /** Percent of the peak. */
  readonly percent: number
  /** Unix seconds. */
  readonly from: number
  readonly to: number
}

/** The statistics of returns of one length. */
export interface ReturnStatistics {
  readonly periodSeconds: number
  readonly returns: number
  /** The square root of the number of returns in a year; null without returns. */
  readonly annualisation: number | null
  /** Percent a year. */
  readonly volatility: number | null
  readonly sharpe: number | null
  readonly sortino: number | null
  /** Why statistics are null. */
  readonly reason: string | null
}

export const one18 = 10n ** 18n
const yearSeconds = 365 * 86_400
/** Minimum number of returns: statistics of fewer are noise. */
export const minReturns = 20

/** Computes a percentage with four decimals, rounded towards zero; 0 if `whole` is 0. */
export const percentOf = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number(part * 1_000_000n / whole) / 1e4

/** Rounds a number for display. */
export const round = (value: number, places = 4): number => Math.round(value * 10 ** places) / 10 ** places

export const drawdownOf = (values: ReadonlyArray<Valued>): Fall => {
  const first = values[0]?.time ?? 0
  let [peak, peakTime]: [bigint, number] = [0n, first]
  let worst: Fall = { percent: 0, from: first, to: first }
  for (const { time, value } of values) {
    if (value > peak) [peak, peakTime] = [value, time]
    const percent = percentOf(peak - value, peak)
    if (percent > worst.percent) worst = { percent, from: peakTime, to: time }
  }
  return worst
}

/** Computes the return from one value to the next as a fraction. */
export const returnOf = (from: bigint, to: bigint): number => Number((to - from) * one18 / from) / 1e18

const nothing = (periodSeconds: number, returns: number, reason: string): ReturnStatistics => ({
  ...{ periodSeconds, returns, reason },
  ...{ annualisation: null, volatility: null, sharpe: null, sortino: null }
})

/**
 * Computes annualised statistics with a risk-free rate of 0. The volatility is that of a sample (n − 1); the downside
 * of Sortino counts all returns (n), with 0 as its target. A ratio whose divisor is 0 is null.
 */
export const statisticsOf = (returns: ReadonlyArray<number>, periodSeconds: number): ReturnStatistics => {
  const count = returns.length
  if (count < minReturns || periodSeconds <= 0) {
    return nothing(
      periodSeconds,
      count,
      `There ${count === 1 ? "is 1 return" : `are ${count} returns`}; statistics need ${minReturns}.`
    )
  }
  const mean = returns.reduce((sum, each) => sum + each, 0) / count
  const deviation = Math.sqrt(returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (count - 1))
  const downside = Math.sqrt(returns.reduce((sum, each) => sum + Math.min(each, 0) ** 2, 0) / count)
  const annualisation = Math.sqrt(yearSeconds / periodSeconds)
  // Equal returns have a deviation of rounding errors only.
  const varies = deviation > 1e-15
  const falls = downside > 1e-15
  return {
    periodSeconds,
    returns: count,
    annualisation: round(annualisation),
    volatility: round(deviation * annualisation * 100),
    sharpe: varies ? round(mean / deviation * annualisation) : null,
    sortino: falls ? round(mean / downside * annualisation) : null,
    reason: !varies ? "All returns are the same." : !falls ? "No return is negative; Sortino has no divisor." : null
  }
}

/** Computes the statistics of values at equal distances, without gaps. */
export const statisticsOfSeries = (values: ReadonlyArray<Valued>, periodSeconds: number): ReturnStatistics =>
  statisticsOf(
    values.flatMap(({ value }, index) => {
      const before = values[index - 1]?.value
      return before === undefined || before <= 0n ? [] : [returnOf(before, value)]
    }),
    periodSeconds
  )
