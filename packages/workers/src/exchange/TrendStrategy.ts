/**
 * The strategy `trend`: long while the last daily candle closed above the mean of the last fifty closes, otherwise
 * neutral.
 */
import type { Side } from "@vault-trader/core/exchange/ExchangeDecision"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { PublicClient } from "../ccxt/ExchangeClient.ts"
import type { ExchangeFailure } from "../ccxt/ExchangeFailure.ts"

const dayMillis = 86_400_000
export const days = 50

/** Chooses the side from the closing prices of closed candles, oldest first; none while there are too few. */
export const sideOf = (closes: ReadonlyArray<number>): Option.Option<Side> => {
  const last = closes.slice(-days)
  const close = last.at(-1)
  if (close === undefined || last.length < days) return Option.none()
  return Option.some(close > last.reduce((sum, each) => sum + each, 0) / days ? "long" : "neutral")
}

export const chooseSide = (client: PublicClient, symbol: string): Effect.Effect<Option.Option<Side>, ExchangeFailure> =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const since = now - now % dayMillis - (days + 1) * dayMillis
    const bars = yield* client.bars(symbol, "1d", since, days + 3)
    return sideOf(bars.flatMap(([time, , , , close]) => time + dayMillis <= now ? [close] : []))
  })
