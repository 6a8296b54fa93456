/** Handlers of exchange market data. */
import { idOf, Market, defaults } from "@vault-trader/core/market-data/Market"
import { MarketDataApi } from "@vault-trader/core/market-data/MarketDataApi"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import { read } from "../gate/ActorCall.ts"

/** Long, because old history is read from the exchange page by page the first time. */
const candlesTimeout = "60 seconds"

export const MarketDataApiLive = Handlers.layer(
  MarketDataApi,
  Effect.gen(function*() {
    const markets = yield* Market.client
    return {
      getCandles: (
        {
          bars_back = defaults.bars,
          before = null,
          exchange = defaults.exchange,
          pair = defaults.pair,
          timeframe = defaults.timeframe
        }
      ) =>
        Effect.map(
          read(markets(idOf(exchange, pair)).candles({ timeframe, bars: bars_back, before }), candlesTimeout),
          (candles) => ({ candles })
        ),
      getTicks: ({ exchange = defaults.exchange, pair = defaults.pair }) =>
        Effect.map(
          read(markets(idOf(exchange, pair)).tick()),
          ({ price, time }) => ({ price, time })
        )
    }
  })
)
