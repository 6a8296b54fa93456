/** Candles that a bot makes of the prices that it samples. Pure. Prices are USD per whole token, 18 decimals. */
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { Ohlc } from "./StrategyDecision.ts"

/** The length of a bot's candles, in seconds of block time or in blocks. */
export const CandleLength = Schema.Struct({
  unit: Schema.Literals(["seconds", "blocks"]),
  size: Schema.Int
}).annotate({ identifier: "CandleLength" })
export type CandleLength = typeof CandleLength.Type

const price = Schema.BigIntFromString
const Prices = Schema.Record(Schema.String, Schema.Struct({ open: price, high: price, low: price, close: price }))

/** The candle of all assets in one bucket, by their addresses. */
export const CandleRow = Schema.Struct({
  /** The number of the candle: of its block time or block, divided by its length. */
  bucket: Schema.Int,
  /** When it opened, unix seconds; of a candle of blocks, the block time of its first sample. */
  time: Schema.Int,
  prices: Prices
}).annotate({ identifier: "CandleRow" })
export type CandleRow = typeof CandleRow.Type

/** The prices of all assets at one block. */
export interface PriceSample {
  readonly block: number
  /** Block time, unix seconds. */
  readonly time: number
  readonly prices: ReadonlyMap<Address, bigint>
}

/** Returns the longest time between two samples so that a candle has several, seconds. */
export const samplingSeconds = ({ size, unit }: CandleLength, most: number): number =>
  unit === "blocks" ? 1 : Math.min(most, Math.max(1, Math.floor(size / 4)))

const merged = (before: Ohlc | undefined, now: bigint): Ohlc =>
  before === undefined ? { open: now, high: now, low: now, close: now } : {
    open: before.open,
    high: now > before.high ? now : before.high,
    low: now < before.low ? now : before.low,
    close: now
  }

/**
 * Adds a sample to the open candle. `closed`: the candle before it, when the sample is the first of a later one. A sample
 * of an earlier block changes nothing.
 */
export const fold = (
  open: CandleRow | null,
  { block, prices, time }: PriceSample,
  { size, unit }: CandleLength
): { readonly open: CandleRow; readonly closed: CandleRow | null } => {
  const bucket = Math.floor((unit === "seconds" ? time : block) / size)
  if (open !== null && bucket < open.bucket) return { open, closed: null }
  const same = open?.bucket === bucket ? open : null
  const next: CandleRow = {
    bucket,
    time: same?.time ?? (unit === "seconds" ? bucket * size : time),
    prices: Object.fromEntries([...prices].map(([address, now]) => [address, merged(same?.prices[address], now)]))
  }
  return { open: next, closed: same === null ? open : null }
}
