/** What a price did in a bar of time. */
import type { Side } from "../threshold-bot/ThresholdBot.ts"

/** A bar. Times are unix seconds, of the bar's beginning; prices are USD per whole token, 18 decimals, and above 0. */
export interface Candle {
  readonly time: number
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly close: bigint
  /** What somebody told a bot at the bar's close; null where nobody told it anything. */
  readonly side: Side | null
}

/** A side that somebody told a bot, and when. */
export interface Signal {
  readonly time: number
  readonly side: Side
}

/** How regular times are: the usual seconds between two bars, and what is missing of such bars. */
export interface Regularity {
  readonly step: number
  readonly gaps: number
  readonly missing: number
}

/** Of rising times. The usual step is the most frequent one. */
export const regularityOf = (times: ReadonlyArray<number>): Regularity => {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const counts = new Map<number, number>()
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1)
  const [step = 0] = [...counts].reduce((most, each) => each[1] > most[1] ? each : most, [0, 0])
  const holes = step === 0 ? [] : steps.map((each) => Math.round(each / step) - 1).filter((missing) => missing > 0)
  return { step, gaps: holes.length, missing: holes.reduce((sum, missing) => sum + missing, 0) }
}
