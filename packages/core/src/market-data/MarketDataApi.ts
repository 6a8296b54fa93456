/** Endpoints for exchanges' prices. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { Candle, maxBars, defaults } from "./Market.ts"

const Exchange = Param.make(Schema.String, {
  accepts: "the id of an exchange that ccxt knows, for instance coinbase, kraken or binance",
  description: `Exchange, by its id in ccxt; default ${defaults.exchange}.`,
  example: defaults.exchange,
  jsonSchema: { type: "string", default: defaults.exchange },
  read: (text) => /^[A-Za-z0-9]{2,32}$/.test(text) ? text.toLowerCase() : undefined,
  show: (value) => value
})

const pairPattern = /^[A-Za-z0-9.$]{1,20}[-/_][A-Za-z0-9.$]{1,20}$/

/** Builds a parameter of an exchange's pair, as `BTC-USD`. */
export const ExchangePair = (description: string, example: string) =>
  Param.make(Schema.String, {
    code: "1003",
    accepts: "BASE-QUOTE (also BASE/QUOTE or BASE_QUOTE), two symbols as the exchange lists them",
    description,
    example,
    jsonSchema: { type: "string", pattern: pairPattern.source },
    read: (text) => pairPattern.test(text) ? text.toUpperCase().replace(/[/_]/, "-") : undefined,
    show: (value) => value
  })

const Timeframe = Param.make(Schema.String, {
  accepts: "a candle length that the exchange supports, for instance 1m, 1h, 6h or 1d",
  description: `Length of a candle; default ${defaults.timeframe}.`,
  example: defaults.timeframe,
  jsonSchema: { type: "string", default: defaults.timeframe },
  read: (text) => /^[1-9]\d{0,2}[smhdwM]$/.test(text) ? text : undefined,
  show: (value) => value
})

const integer = (accepts: string, description: string, example: number, min: number, max: number, fallback?: number) =>
  Param.make(Schema.Number, {
    accepts,
    description,
    example,
    jsonSchema: {
      type: "integer",
      minimum: min,
      maximum: max,
      ...(fallback === undefined ? {} : { default: fallback })
    },
    read: (text) => /^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
    show: String
  })

const about = {
  apiKey: Params.ApiKey,
  exchange: Schema.optional(Exchange),
  pair: Schema.optional(ExchangePair(`Pair, BASE-QUOTE; default ${defaults.pair}.`, defaults.pair))
}

export class MarketDataApi extends RpcGroup.make(
  Endpoint.make("getCandles", {
    origin: "spec",
    class: "readOnly",
    summary: "Closed OHLCV candles of a pair on an exchange, oldest first; stored here, so that the history is kept.",
    params: {
      ...about,
      timeframe: Schema.optional(Timeframe),
      bars_back: Schema.optional(
        integer(
          `a whole number from 1 to ${maxBars}`,
          `Number of candles, 1 to ${maxBars}; default ${defaults.bars}.`,
          defaults.bars,
          1,
          maxBars,
          defaults.bars
        )
      ),
      before: Schema.optional(
        integer(
          "a time in unix seconds",
          "Only candles that began before this time (unix seconds), for paging back in time.",
          1_795_000_000,
          0,
          99_999_999_999
        )
      )
    },
    success: { candles: Schema.Array(Candle) },
    exampleRequest: { bars_back: 5 },
    failsWith: ["exchange_error"],
    example: {
      candles: [{
        time: 1_795_197_600,
        open: 55_506.88,
        high: 56_523.73,
        low: 55_506.88,
        close: 56_523.73,
        volume: 7.756
      }]
    }
  }),
  Endpoint.make("getTicks", {
    origin: "spec",
    class: "readOnly",
    summary: "Latest price of a pair on an exchange.",
    params: about,
    success: { price: Schema.Number, time: Schema.Int },
    failsWith: ["exchange_error"],
    example: { price: 55_257.9, time: 1_795_284_123 }
  })
) {}
