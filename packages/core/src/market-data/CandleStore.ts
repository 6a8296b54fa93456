/** Stores closed candles, and the complete stretch of each series. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Candle } from "./Market.ts"

export interface Series {
  readonly exchange: string
  readonly symbol: string
  readonly timeframe: string
}

/** All candles that began at `from` or later and before `to` are stored. Unix milliseconds. */
export interface CandleRange {
  readonly from: number
  readonly to: number
}

/** `time` in unix milliseconds. */
export type Bar = readonly [time: number, open: number, high: number, low: number, close: number, volume: number]

type Row = Readonly<Record<"time" | "open" | "high" | "low" | "close" | "volume", number>>

export class CandleStore extends Context.Service<CandleStore, {
  readonly findCoverage: (series: Series) => Effect.Effect<Option.Option<CandleRange>, SqlError>
  /** Stores all candles of a stretch. It must touch the covered stretch, or be the first. */
  readonly put: (series: Series, bars: ReadonlyArray<Bar>, covered: CandleRange) => Effect.Effect<void, SqlError>
  /** Removes the covered stretch; the candles are kept. */
  readonly uncover: (series: Series) => Effect.Effect<void, SqlError>
  /** Reads the last `bars` candles that began before `before` (unix milliseconds), oldest first. */
  readonly read: (series: Series, before: number, bars: number) => Effect.Effect<ReadonlyArray<Candle>, SqlError>
}>()("vault-trader/core/market-data/CandleStore") {
  static readonly layer = Layer.effect(
    CandleStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const is = ({ exchange, symbol, timeframe }: Series) =>
        sql`exchange = ${exchange} and symbol = ${symbol} and timeframe = ${timeframe}`
      return {
        findCoverage: (series) =>
          Effect.map(
            sql<
              { readonly from: number; readonly to: number }
            >`select covered_from::float8 as from, covered_to::float8 as to from candle_series where ${is(series)}`,
            ([row]) => Option.fromNullishOr(row)
          ),
        put: (series, bars, { from, to }) =>
          sql.withTransaction(Effect.gen(function*() {
            if (bars.length > 0) {
              const rows = bars.map(([time, open, high, low, close, volume]) => ({
                time,
                open,
                high,
                low,
                close,
                volume
              }))
              yield* sql`insert into candles (exchange, symbol, timeframe, time, open, high, low, close, volume)
                select ${series.exchange}, ${series.symbol}, ${series.timeframe}, v.* from jsonb_to_recordset(${
                JSON.stringify(rows)
              }::jsonb)
                  as v(time bigint, open float8, high float8, low float8, close float8, volume float8)
                on conflict do nothing`
            }
            // The series can briefly have two owners: a stretch that does not touch the covered one would hide a gap.
            yield* sql`insert into candle_series ${sql.insert({ ...series, covered_from: from, covered_to: to })}
              on conflict (exchange, symbol, timeframe) do update
              set covered_from = least(candle_series.covered_from, excluded.covered_from),
                covered_to = greatest(candle_series.covered_to, excluded.covered_to)
              where candle_series.covered_to >= excluded.covered_from
              and candle_series.covered_from <= excluded.covered_to`
          })),
        uncover: (series) => Effect.asVoid(sql`delete from candle_series where ${is(series)}`),
        read: (series, before, bars) =>
          Effect.map(
            sql<Row>`select * from (select (time / 1000)::int as time, open, high, low, close, volume from candles
              where ${is(series)} and time < ${before} order by time desc limit ${bars}) newest order by time`,
            (rows) => rows.map((row) => Candle.make({ ...row }))
          )
      }
    })
  )
}
