/** Handlers of exchange market data. */
import { idOf, Market, standard } from "@vault-trader/core/market-data/Market"
import { MarketDataApi } from "@vault-trader/core/market-data/MarketDataApi"
import * as Effect from "effect/Effect"
import { read } from "../gate/ActorCall.ts"

/** Long, because old history is read from the exchange page by page the first time. */
const candlesTimeout = "60 seconds"

export const MarketDataApiLive = MarketDataApi.toLayer(Effect.gen(function*() {
  const markets = yield* Market.client
  return {
    getCandles: (
      {
        bars_back = standard.bars,
        before = null,
        exchange = standard.exchange,
        pair = standard.pair,
        timeframe = standard.timeframe
      }
    ) =>
      Effect.map(
        read(markets(idOf(exchange, pair)).candles({ timeframe, bars: bars_back, before }), candlesTimeout),
        (candles) => ({ status: "success" as const, candles })
      ),
    getTicks: ({ exchange = standard.exchange, pair = standard.pair }) =>
      Effect.map(
        read(markets(idOf(exchange, pair)).tick()),
        ({ price, time }) => ({ status: "success" as const, price, time })
      )
  }
}))
