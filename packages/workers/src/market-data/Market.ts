/**
 * The Market actor: candles from storage, and from the exchange what is not there yet; the latest price for a second. Whoever asks for the
 * same at the same moment is answered by one call.
 */
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { symbolOf } from "@vault-trader/core/exchange/Exchanges"
import { type Bar, CandleStore, type Covered, type Series } from "@vault-trader/core/market-data/CandleStore"
import { Market, parseId } from "@vault-trader/core/market-data/Market"
import * as Clock from "effect/Clock"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { Ccxt } from "../ccxt/Ccxt.ts"
import type { PublicClient } from "../ccxt/ExchangeClient.ts"
import { told, unknown } from "../ccxt/ExchangeFailure.ts"

/** How long a price is the latest. */
const freshMillis = 1000

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, M: 2_592_000_000 }
/** Milliseconds; a month counts 30 days. */
export const lengthOf = (timeframe: string): number => Number(timeframe.slice(0, -1)) * (units[timeframe.slice(-1)] ?? 0)

/** When the candle that began at `time` is over. */
export const endOf = (time: number, timeframe: string): number => {
  if (!timeframe.endsWith("M")) return time + lengthOf(timeframe)
  const began = new Date(time)
  return Date.UTC(began.getUTCFullYear(), began.getUTCMonth() + Number(timeframe.slice(0, -1)), 1)
}

/** Reads a stretch page by page: each as long as one answer may be. */
const pages = (client: PublicClient, { symbol, timeframe }: Series, { from, to }: Covered) =>
  Effect.gen(function*() {
    const stretch = lengthOf(timeframe) * client.barsAtOnce
    const bars = new Map<number, Bar>()
    for (let since = from; since < to; since += stretch) {
      for (const bar of yield* client.bars(symbol, timeframe, since, client.barsAtOnce)) if (bar[0] >= from) bars.set(bar[0], bar)
    }
    return [...bars.values()].sort(([one], [other]) => one - other)
  })

/** Most candles that one request fetches; a longer hole is not filled at once. */
export const mostMissing = 20_000

const tooFar = new ValidationFailure({
  code: "1010",
  message: `before: is more than ${mostMissing} candles away from what is known; ask for later ones first, and page back from there`
})

/** The candle after the known ones is closed once it has lasted. */
const newer = (client: PublicClient, store: CandleStore["Service"], series: Series, begins: number, now: number) =>
  Effect.gen(function*() {
    const lasts = lengthOf(series.timeframe)
    if (begins + lasts > now) return
    const bars = yield* Effect.mapError(pages(client, series, { from: begins, to: now }), told)
    const closed = bars.filter(([time]) => endOf(time, series.timeframe) <= now)
    const open = bars.find(([time]) => endOf(time, series.timeframe) > now)
    const last = closed.at(-1)
    const to = open?.[0] ?? (last === undefined ? now - (now - begins) % lasts : endOf(last[0], series.timeframe))
    yield* Effect.orDie(store.put(series, closed, { from: begins, to: Math.max(begins, to) }))
  })

/** Sees to it that the closed candles from `from` on are known. */
const filled = (client: PublicClient, store: CandleStore["Service"], series: Series, from: number, now: number) =>
  Effect.gen(function*() {
    const lasts = lengthOf(series.timeframe)
    const begins = from - from % lasts
    const found = yield* Effect.orDie(store.covered(series))
    const known = Option.filter(found, ({ to }) => (now - to) / lasts <= mostMissing)
    if (((Option.isSome(known) ? known.value.from : now) - begins) / lasts > mostMissing) return yield* tooFar
    if (Option.isNone(known)) {
      if (Option.isSome(found)) yield* Effect.orDie(store.uncover(series))
      return yield* newer(client, store, series, begins, now)
    }
    yield* newer(client, store, series, known.value.to, now)
    if (from >= known.value.from) return
    const earlier = { from: begins, to: known.value.from }
    const bars = yield* Effect.mapError(pages(client, series, earlier), told)
    yield* Effect.orDie(store.put(series, bars.filter(([time]) => time < earlier.to), earlier))
  })

/** Whether storage alone can answer: then the exchange is not asked, and need not be there. */
const isKnown = (covered: Option.Option<Covered>, from: number, end: number, lasts: number) =>
  Option.isSome(covered) && covered.value.from <= from && (end <= covered.value.to || end < covered.value.to + lasts)

const notListed = (symbol: string, exchange: string, symbols: ReadonlyArray<string>) => {
  const [base = "", quote = ""] = symbol.split("/")
  const near = symbols.filter((each) => each.startsWith(`${base}/`) || each.endsWith(`/${quote}`)).sort((one, other) =>
    Number(other.startsWith(`${base}/`)) - Number(one.startsWith(`${base}/`)))
  const offered = (near.length > 0 ? near : symbols).slice(0, 12).map((each) => each.replace("/", "-"))
  return new ValidationFailure({ code: "1003", message: `pair: ${exchange} has no ${symbol.replace("/", "-")}; it has ${offered.join(", ")}${symbols.length > offered.length ? " and others" : ""}` })
}

/** The market of a pair; 1003 naming what there is. */
export const marketOf = (client: PublicClient, exchange: string, pair: string) =>
  Effect.flatMap(Effect.mapError(client.markets, told), (markets) => {
    const market = markets.get(symbolOf(pair))
    return market === undefined ? Effect.fail(notListed(symbolOf(pair), exchange, [...markets.keys()])) : Effect.succeed(market)
  })

export const MarketLive = Market.toLayer(
  Effect.gen(function*() {
    const { exchange, pair } = parseId((yield* Entity.CurrentAddress).entityId)
    const ccxt = yield* Ccxt
    const store = yield* CandleStore
    const turn = yield* Semaphore.make(1)
    const client = Effect.mapError(ccxt.anybody(exchange), unknown)
    let latest: { readonly at: number; readonly price: number; readonly time: number } | undefined

    return {
      candles: ({ payload: { bars, before, timeframe } }) =>
        Effect.gen(function*() {
          const series = { exchange, symbol: symbolOf(pair), timeframe }
          const now = yield* Clock.currentTimeMillis
          const end = Math.min(before === null ? now : before * 1000, now)
          const from = Math.max(0, end - (bars + 1) * lengthOf(timeframe))
          if (!isKnown(yield* Effect.orDie(store.covered(series)), from, end, lengthOf(timeframe))) {
            const asked = yield* client
            if (asked.timeframes.length > 0 && !asked.timeframes.includes(timeframe)) {
              return yield* new ValidationFailure({ code: "1010", message: `timeframe: ${exchange} has no ${timeframe}; accepted are ${asked.timeframes.join(", ")}` })
            }
            yield* marketOf(asked, exchange, pair)
            yield* filled(asked, store, series, from, now)
          }
          return yield* Effect.orDie(store.read(series, end, bars))
        }).pipe(turn.withPermits(1), Effect.withSpan("Market.candles", { attributes: { exchange, pair, timeframe } })),
      tick: () =>
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          if (latest !== undefined && now - latest.at < freshMillis) return latest
          const asked = yield* client
          const { symbol } = yield* marketOf(asked, exchange, pair)
          const { last, time } = yield* Effect.mapError(asked.ticker(symbol), told)
          latest = { at: now, price: last, time: Math.floor(time / 1000) }
          return latest
        }).pipe(turn.withPermits(1), Effect.map(({ price, time }) => ({ price, time })), Effect.withSpan("Market.tick", { attributes: { exchange, pair } }))
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
)
