/** Finds a bot's candles in a response of getStrategyBots, so that a backtest runs over what the bot has seen. Pure. */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Fault } from "./DataFile.ts"

const prices = Schema.Struct({
  open: Schema.String,
  high: Schema.String,
  low: Schema.String,
  close: Schema.String
})
const Bot = Schema.Struct({
  data: Schema.Struct({ strategy: Schema.String }),
  candles: Schema.Array(Schema.Struct({ time: Schema.Int, prices: Schema.Record(Schema.String, prices) }))
})
const bots = Schema.Array(Bot)
const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ bots: Schema.Union([bots, Schema.Tuple([bots])]) }))
)

/** A series to find: the asset's symbol, and the name of the strategy whose bot has seen it. */
export interface Sought {
  readonly symbol: string
  readonly strategy: string
}

/**
 * Returns the asset's candles of the strategy's bot as JSON rows; a text that is no such response is returned as it is.
 * Candles in which the asset has no price are left out.
 */
export const rowsOf = (file: string, text: string, { strategy, symbol }: Sought): Result.Result<string, Fault> => {
  const response = Option.getOrUndefined(decode(text))
  if (response === undefined) return Result.succeed(text)
  const found = response.bots.flatMap((each) => "data" in each ? [each] : each)
  const bot = found.find(({ data }) => data.strategy === strategy)
  if (bot === undefined) {
    const names = found.map(({ data }) => data.strategy)
    return Result.fail(`${file} has no bot of ${strategy}; it has ${names.length === 0 ? "none" : names.join(", ")}`)
  }
  const rows = bot.candles.flatMap(({ prices: known, time }) => {
    const own = Object.entries(known).find(([name]) => name.toLowerCase() === symbol.toLowerCase())?.[1]
    return own === undefined ? [] : [{ time, ...own }]
  })
  return rows.length === 0
    ? Result.fail(`${file} has no candles of ${symbol} by the bot of ${strategy}`)
    : Result.succeed(JSON.stringify(rows))
}
