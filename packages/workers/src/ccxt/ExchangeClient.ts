/** The clients of an exchange: public data, and the requests of an account's holder. */
import type { MarketRules } from "@vault-trader/core/exchange/ExchangeDecision"
import { show } from "@vault-trader/core/exchange/ExchangeDecision"
import type { Fee } from "@vault-trader/core/exchange/ExchangeOrder"
import * as BigDecimal from "effect/BigDecimal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CcxtCall } from "./CcxtCall.ts"
import type { ExchangeFailure } from "./ExchangeFailure.ts"
import type { LibraryMarket, LibraryOrder } from "./CcxtLibrary.ts"

type Big = BigDecimal.BigDecimal

/** A spot market. */
export interface Market extends MarketRules {
  readonly symbol: string
  readonly base: string
  readonly quote: string
}

interface Ticker {
  readonly last: number
  readonly bid: Big
  readonly ask: Big
  /** Unix milliseconds. */
  readonly time: number
}

type Bar = readonly [time: number, open: number, high: number, low: number, close: number, volume: number]

/** `open` may still be filled. Quantities: filled in the base, cost in the quote. */
export interface OrderSeen {
  readonly id: string | null
  readonly open: boolean
  readonly filled: Big
  readonly cost: Big
  /** Null until the exchange reports them. */
  readonly fees: ReadonlyArray<Fee> | null
}

/** Public data of an exchange. */
export interface PublicClient {
  readonly timeframes: ReadonlyArray<string>
  /** Maximum number of candles in one response. */
  readonly maxBarsPerRequest: number
  readonly markets: Effect.Effect<ReadonlyMap<string, Market>, ExchangeFailure>
  readonly ticker: (symbol: string) => Effect.Effect<Ticker, ExchangeFailure>
  /** Returns at most `limit` candles that begin at `since` (unix milliseconds) or later, oldest first. */
  readonly bars: (
    symbol: string,
    timeframe: string,
    since: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Bar>, ExchangeFailure>
}

interface NewOrder {
  readonly symbol: string
  readonly side: "buy" | "sell"
  readonly amount: Big
  readonly limit: Big
  readonly clientId: string
  /** The time from `stamp` to sign the order with, so that it expires once the window is over. */
  readonly stamp: number
}

/** An order as it was placed, by this service or by another user of the account. Unknown numbers are zero. */
export interface OrderPlaced {
  readonly clientId: string
  readonly side: "buy" | "sell"
  readonly amount: Big
  readonly limit: Big
}

/** An order with a trade; the time of its first trade, unix milliseconds. */
export interface TradedOrder {
  readonly id: string
  readonly time: number
}

/** Requests of an account's holder; one at a time. */
export interface AccountClient extends PublicClient {
  /** The free balances, without zeros. */
  readonly balances: Effect.Effect<ReadonlyMap<string, Big>, ExchangeFailure>
  /** True when the key may withdraw funds; none when the exchange does not report it. */
  readonly mayWithdraw: Effect.Effect<Option.Option<boolean>, ExchangeFailure>
  readonly stamp: Effect.Effect<number>
  /**
   * Places an immediate-or-cancel order at the limit. After any failure but `ExchangeRefused` it is unknown whether it
   * was accepted.
   */
  readonly place: (order: NewOrder) => Effect.Effect<OrderSeen, ExchangeFailure>
  /** Finds the order of a client id; none when the exchange does not know it. */
  readonly find: (symbol: string, clientId: string) => Effect.Effect<Option.Option<OrderSeen>, ExchangeFailure>
  /** Lists the orders of the account's newest hundred trades of a pair, those of other users, too. */
  readonly traded: (symbol: string) => Effect.Effect<ReadonlyArray<TradedOrder>, ExchangeFailure>
  /** Finds how an order was placed by the exchange's id; none when the exchange does not know it. */
  readonly placed: (symbol: string, id: string) => Effect.Effect<Option.Option<OrderPlaced>, ExchangeFailure>
  readonly cancel: (symbol: string, id: string) => Effect.Effect<void, ExchangeFailure>
  /** Returns the fees of an order; none when the exchange does not report them. */
  readonly fees: (symbol: string, id: string) => Effect.Effect<Option.Option<ReadonlyArray<Fee>>, ExchangeFailure>
}

const zero = BigDecimal.fromBigInt(0n)
const decimal = (text: string | number | undefined): Big =>
  text === undefined ? zero : Option.getOrElse(BigDecimal.fromString(String(text)), () => zero)

/** ccxt's precision mode in which precision is a step. The other modes count digits. */
const tickSize = 4
const stepOf = (text: string | undefined, mode: number): Big =>
  text === undefined
    ? zero
    : mode === tickSize
    ? decimal(text)
    : BigDecimal.normalize(BigDecimal.make(1n, Number(text)))

/** Returns the active spot markets by symbol. */
export const spotMarketsOf = (
  markets: Readonly<Record<string, LibraryMarket>>,
  mode: number
): ReadonlyMap<string, Market> =>
  new Map(
    Object.values(markets).flatMap((market): ReadonlyArray<[string, Market]> =>
      market.spot !== true || market.active === false ? [] : [[market.symbol, {
        ...{ symbol: market.symbol, base: market.base, quote: market.quote },
        amountStep: stepOf(market.precision.amount, mode),
        priceStep: stepOf(market.precision.price, mode),
        minAmount: decimal(market.limits.amount?.min),
        minCost: decimal(market.limits.cost?.min)
      }]]
    )
  )

const feesOf = (
  fees: ReadonlyArray<{ readonly currency?: string; readonly cost?: string } | undefined>
): ReadonlyArray<Fee> | null => {
  const sums = new Map<string, Big>()
  for (const fee of fees) {
    if (fee?.currency === undefined || fee.cost === undefined) continue
    sums.set(fee.currency, BigDecimal.sum(sums.get(fee.currency) ?? zero, decimal(fee.cost)))
  }
  return sums.size === 0 ? null : [...sums].map(([currency, amount]) => ({ currency, amount: show(amount) }))
}

const toOrderSeen = ({ average, cost, fees = [], filled, id, status }: LibraryOrder): OrderSeen => {
  const amount = decimal(filled)
  return {
    id: id ?? null,
    open: status === undefined || status === "open" || status === "canceling",
    filled: amount,
    cost: cost === undefined ? BigDecimal.multiply(amount, decimal(average)) : decimal(cost),
    fees: feesOf(fees)
  }
}

/** Number of trades in which a comparison searches for orders. */
const comparedTrades = 100

const toTraded = (
  trades: ReadonlyArray<{ readonly order?: string; readonly timestamp?: number }>
): ReadonlyArray<TradedOrder> => {
  const times = new Map<string, number>()
  for (const { order, timestamp } of trades) {
    if (order !== undefined && timestamp !== undefined) {
      times.set(order, Math.min(times.get(order) ?? timestamp, timestamp))
    }
  }
  return [...times].map(([id, time]) => ({ id, time }))
}

const toPlaced = ({ amount, clientOrderId, price, side }: LibraryOrder): OrderPlaced => ({
  clientId: clientOrderId ?? "",
  side: side === "buy" ? "buy" : "sell",
  ...{ amount: decimal(amount), limit: decimal(price) }
})

export const publicClient = ({ request, exchange }: CcxtCall, markets: PublicClient["markets"]): PublicClient => ({
  timeframes: Object.keys(exchange.timeframes ?? {}),
  maxBarsPerRequest: Math.min(exchange.features?.spot?.fetchOHLCV?.limit ?? 300, 1000),
  markets,
  ticker: (symbol) =>
    Effect.flatMap(
      Effect.zip(markets, Clock.currentTimeMillis),
      ([, now]) =>
        Effect.map(request((each) => each.fetchTicker(symbol)), ({ ask: askPrice, bid, last, timestamp }) => ({
          last: Number(last ?? bid ?? askPrice ?? 0),
          bid: decimal(bid ?? last),
          ask: decimal(askPrice ?? last),
          time: timestamp === undefined ? now : Number(timestamp)
        }))
    ),
  bars: (symbol, timeframe, since, limit) =>
    Effect.andThen(
      markets,
      Effect.map(request((each) => each.fetchOHLCV(symbol, timeframe, since, limit)), (rows) =>
        rows.map((
          [time, open, high, low, close, volume]
        ): Bar => [Number(time), Number(open), Number(high), Number(low), Number(close), Number(volume ?? 0)]))
    )
})

export const accountClient = (
  { request, requestOrder, exchange, synchronized }: CcxtCall,
  markets: PublicClient["markets"]
): AccountClient => {
  const open = publicClient({ request, requestOrder, exchange, synchronized }, markets)
  return {
    ...open,
    balances: Effect.map(
      request((each) => each.fetchBalance()),
      ({ free }) =>
        new Map(
          Object.entries(free).flatMap(([asset, amount]) => {
            const value = decimal(amount)
            return BigDecimal.isPositive(value) ? [[asset, value] as const] : []
          })
        )
    ),
    mayWithdraw: Effect.suspend(() => {
      if (exchange.id === "binance") {
        return Effect.map(
          request((each) => each.sapiGetAccountApiRestrictions?.() ?? Promise.resolve(undefined)),
          (restrictions) => Option.fromNullishOr(restrictions?.enableWithdrawals)
        )
      }
      if (exchange.id === "okx") {
        return Effect.map(
          request((each) => each.privateGetAccountConfig?.() ?? Promise.resolve(undefined)),
          (config) =>
            Option.map(Option.fromNullishOr(config?.data?.[0]?.perm), (text) => text.split(",").includes("withdraw"))
        )
      }
      return Effect.succeedNone
    }),
    stamp: Effect.sync(() => exchange.nonce()),
    place: ({ amount, clientId, limit, side, stamp, symbol }) =>
      Effect.map(
        request((each) =>
          each.createOrder(symbol, "limit", side, show(amount), show(limit), {
            clientOrderId: clientId,
            timeInForce: "IOC"
          }), stamp),
        toOrderSeen
      ),
    find: (symbol, clientId) =>
      Effect.map(
        requestOrder((each) => each.fetchOrder(undefined, symbol, { clientOrderId: clientId })),
        Option.map(toOrderSeen)
      ),
    traded: (symbol) =>
      Effect.andThen(
        markets,
        Effect.map(
          request((each) => each.fetchMyTrades?.(symbol, undefined, comparedTrades) ?? Promise.resolve([])),
          toTraded
        )
      ),
    placed: (symbol, id) => Effect.map(requestOrder((each) => each.fetchOrder(id, symbol, {})), Option.map(toPlaced)),
    cancel: (symbol, id) => Effect.asVoid(request((each) => each.cancelOrder(id, symbol))),
    fees: (symbol, id) =>
      exchange.has["fetchOrderTrades"] !== true
        ? Effect.succeedNone
        : Effect.map(request((each) => each.fetchOrderTrades?.(id, symbol) ?? Promise.resolve([])), (trades) =>
          Option.fromNullishOr(feesOf(trades.map(({ fee }) => fee))))
  }
}
