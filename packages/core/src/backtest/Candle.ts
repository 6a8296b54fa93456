/** Price candles, and signals for bots. */
import type { Side } from "../threshold-bot/ThresholdBot.ts"

/**
 * A candle. `time` is the start of the bar in unix seconds; prices are USD per whole token, 18 decimals, and above 0.
 */
export interface Candle {
  readonly time: number
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly close: bigint
  /** The side signalled to the bot at the bar's close; null without a signal. */
  readonly side: Side | null
}

/** A side signalled to a bot, and its time. */
export interface Signal {
  readonly time: number
  readonly side: Side
}

/**
 * The regularity of times: the usual seconds between two bars, the number of gaps, and the number of bars missing in
 * them.
 */
interface Regularity {
  readonly step: number
  readonly gaps: number
  readonly missing: number
}

/** Computes the regularity of ascending times. The usual step is the most frequent one. */
export const regularityOf = (times: ReadonlyArray<number>): Regularity => {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const counts = new Map<number, number>()
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1)
  const [step = 0] = [...counts].reduce((most, each) => each[1] > most[1] ? each : most, [0, 0])
  const holes = step === 0 ? [] : steps.map((each) => Math.round(each / step) - 1).filter((missing) => missing > 0)
  return { step, gaps: holes.length, missing: holes.reduce((sum, missing) => sum + missing, 0) }
}
