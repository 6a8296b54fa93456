/**
 * The Market actor's protocol: candles and the latest price of one pair on one exchange. Entity id: `exchange/pair`.
 */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Failure } from "../failure/Failure.ts"

/** A candle: open, high, low and close in the quote, volume in the base. `time`: its start, unix seconds. */
export const Candle = Schema.Struct({
  time: Schema.Int,
  open: Schema.Number,
  high: Schema.Number,
  low: Schema.Number,
  close: Schema.Number,
  volume: Schema.Number
}).annotate({ identifier: "Candle" })
export type Candle = typeof Candle.Type

export const defaults = { exchange: "coinbase", timeframe: "6h", pair: "BTC-USD", bars: 200 } as const
export const maxBars = 1000

export const Market = Entity.make("Market", [
  /** Returns up to `bars` closed candles that began before `before` (unix seconds; null for now), oldest first. */
  Rpc.make("candles", {
    payload: { timeframe: Schema.String, bars: Schema.Int, before: Schema.NullOr(Schema.Int) },
    success: Schema.Array(Candle),
    error: Failure
  }),
  /** Returns the latest price, in the quote, and its time (unix seconds). */
  Rpc.make("tick", { success: Schema.Struct({ price: Schema.Number, time: Schema.Int }), error: Failure })
])

export const idOf = (exchange: string, pair: string): string => `${exchange}/${pair}`

export const parseId = (id: string): { readonly exchange: string; readonly pair: string } => {
  const [exchange = "", pair = ""] = id.split("/")
  return { exchange, pair }
}
