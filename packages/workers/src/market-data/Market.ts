/**
 * Implements the Market actor: candles from storage, missing ones from the exchange; the latest price, cached for a
 * second. Concurrent callers of the same data share one call.
 */
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { symbolOf } from "@vault-trader/core/exchange/Exchanges"
import { type Bar, CandleStore, type CandleRange, type Series } from "@vault-trader/core/market-data/CandleStore"
import { Market, parseId } from "@vault-trader/core/market-data/Market"
import * as Clock from "effect/Clock"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { Ccxt } from "../ccxt/Ccxt.ts"
import type { PublicClient } from "../ccxt/ExchangeClient.ts"
import { explainFailure, unknownExchange } from "../ccxt/ExchangeFailure.ts"

/** How long a price is returned as the latest. */
const freshMillis = 1000

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  M: 2_592_000_000
}
/** Returns a timeframe's length in milliseconds; a month counts 30 days. */
const lengthOf = (timeframe: string): number => Number(timeframe.slice(0, -1)) * (units[timeframe.slice(-1)] ?? 0)

/** Returns the end of the candle that began at `time`, unix milliseconds. */
const endOf = (time: number, timeframe: string): number => {
  if (!timeframe.endsWith("M")) return time + lengthOf(timeframe)
  const began = new Date(time)
  return Date.UTC(began.getUTCFullYear(), began.getUTCMonth() + Number(timeframe.slice(0, -1)), 1)
}

/** Reads a period page by page; a page is the maximum that one response may contain. */
const pages = (client: PublicClient, { symbol, timeframe }: Series, { from, to }: CandleRange) =>
  Effect.gen(function*() {
    const pageMillis = lengthOf(timeframe) * client.maxBarsPerRequest
    const bars = new Map<number, Bar>()
    for (let since = from; since < to; since += pageMillis) {
      for (const bar of yield* client.bars(symbol, timeframe, since, client.maxBarsPerRequest)) {
        if (bar[0] >= from) bars.set(bar[0], bar)
      }
    }
    return [...bars.values()].sort(([one], [other]) => one - other)
  })

/** Maximum number of candles that one request fetches; a longer gap is not filled at once. */
const maxMissing = 20_000

const tooFar = new ValidationFailure({
  code: "1010",
  message:
    `before: is more than ${maxMissing} candles away from the stored candles; request later ones first, and page ` +
    "back from there"
})

/** Fetches and stores the candles that have closed since `begins`. */
const fetchNewer = (client: PublicClient, store: CandleStore["Service"], series: Series, begins: number, now: number) =>
  Effect.gen(function*() {
    const lasts = lengthOf(series.timeframe)
    if (begins + lasts > now) return
    const bars = yield* Effect.mapError(pages(client, series, { from: begins, to: now }), explainFailure)
    const closed = bars.filter(([time]) => endOf(time, series.timeframe) <= now)
    const open = bars.find(([time]) => endOf(time, series.timeframe) > now)
    const last = closed.at(-1)
    const to = open?.[0] ?? (last === undefined ? now - (now - begins) % lasts : endOf(last[0], series.timeframe))
    yield* Effect.orDie(store.put(series, closed, { from: begins, to: Math.max(begins, to) }))
  })

/** Makes sure that the closed candles from `from` on are stored. */
const fill = (client: PublicClient, store: CandleStore["Service"], series: Series, from: number, now: number) =>
  Effect.gen(function*() {
    const lasts = lengthOf(series.timeframe)
    const begins = from - from % lasts
    const found = yield* Effect.orDie(store.findCoverage(series))
    const known = Option.filter(found, ({ to }) => (now - to) / lasts <= maxMissing)
    if (((Option.isSome(known) ? known.value.from : now) - begins) / lasts > maxMissing) return yield* tooFar
    if (Option.isNone(known)) {
      if (Option.isSome(found)) yield* Effect.orDie(store.uncover(series))
      return yield* fetchNewer(client, store, series, begins, now)
    }
    yield* fetchNewer(client, store, series, known.value.to, now)
    if (from >= known.value.from) return
    const earlier = { from: begins, to: known.value.from }
    const bars = yield* Effect.mapError(pages(client, series, earlier), explainFailure)
    yield* Effect.orDie(store.put(series, bars.filter(([time]) => time < earlier.to), earlier))
  })

/** Returns true when storage alone can answer, so that the exchange is not called and need not be reachable. */
const isKnown = (covered: Option.Option<CandleRange>, from: number, end: number, lasts: number) =>
  Option.isSome(covered) && covered.value.from <= from && (end <= covered.value.to || end < covered.value.to + lasts)

const notListed = (symbol: string, exchange: string, symbols: ReadonlyArray<string>) => {
  const [base = "", quote = ""] = symbol.split("/")
  const near = symbols.filter((each) => each.startsWith(`${base}/`) || each.endsWith(`/${quote}`)).sort((one, other) =>
    Number(other.startsWith(`${base}/`)) - Number(one.startsWith(`${base}/`))
  )
  const offered = (near.length > 0 ? near : symbols).slice(0, 12).map((each) => each.replace("/", "-"))
  return new ValidationFailure({
    code: "1003",
    message: `pair: ${exchange} has no ${symbol.replace("/", "-")}; it has ${offered.join(", ")}${
      symbols.length > offered.length ? " and others" : ""
    }`
  })
}

/** Returns the market of a pair; fails with 1003 and the available pairs. */
export const marketOf = (client: PublicClient, exchange: string, pair: string) =>
  Effect.flatMap(Effect.mapError(client.markets, explainFailure), (markets) => {
    const market = markets.get(symbolOf(pair))
    return market === undefined
      ? Effect.fail(notListed(symbolOf(pair), exchange, [...markets.keys()]))
      : Effect.succeed(market)
  })

export const MarketLive = Market.toLayer(
  Effect.gen(function*() {
    const { exchange, pair } = parseId((yield* Entity.CurrentAddress).entityId)
    const ccxt = yield* Ccxt
    const store = yield* CandleStore
    const mutex = yield* Semaphore.make(1)
    const client = Effect.mapError(ccxt.anybody(exchange), unknownExchange)
    let latest: { readonly at: number; readonly price: number; readonly time: number } | undefined

    return {
      candles: ({ payload: { bars, before, timeframe } }) =>
        Effect.gen(function*() {
          const series = { exchange, symbol: symbolOf(pair), timeframe }
          const now = yield* Clock.currentTimeMillis
          const end = Math.min(before === null ? now : before * 1000, now)
          const from = Math.max(0, end - (bars + 1) * lengthOf(timeframe))
          if (!isKnown(yield* Effect.orDie(store.findCoverage(series)), from, end, lengthOf(timeframe))) {
            const exchangeClient = yield* client
            if (exchangeClient.timeframes.length > 0 && !exchangeClient.timeframes.includes(timeframe)) {
              return yield* new ValidationFailure({
                code: "1010",
                message: `timeframe: ${exchange} has no ${timeframe}; accepted are ${
                  exchangeClient.timeframes.join(", ")
                }`
              })
            }
            yield* marketOf(exchangeClient, exchange, pair)
            yield* fill(exchangeClient, store, series, from, now)
          }
          return yield* Effect.orDie(store.read(series, end, bars))
        }).pipe(mutex.withPermits(1), Effect.withSpan("Market.candles", { attributes: { exchange, pair, timeframe } })),
      tick: () =>
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          if (latest !== undefined && now - latest.at < freshMillis) return latest
          const exchangeClient = yield* client
          const { symbol } = yield* marketOf(exchangeClient, exchange, pair)
          const { last, time } = yield* Effect.mapError(exchangeClient.ticker(symbol), explainFailure)
          latest = { at: now, price: last, time: Math.floor(time / 1000) }
          return latest
        }).pipe(
          mutex.withPermits(1),
          Effect.map(({ price, time }) => ({ price, time })),
          Effect.withSpan("Market.tick", { attributes: { exchange, pair } })
        )
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
)
