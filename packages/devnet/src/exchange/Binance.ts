/**
 * A fake of Binance's spot API, as far as a trading bot uses it: market data, account, orders. It holds nothing real.
 */
import * as Crypto from "node:crypto"
import * as ExchangeLedger from "./ExchangeLedger.ts"
import * as Decimal from "./Decimal.ts"
import type { ExchangeControl } from "./ExchangeControl.ts"
import * as Prices from "./Prices.ts"

export interface ExchangeRequest {
  readonly method: string
  readonly path: string
  /** The raw query string, without the question mark. */
  readonly query: string
  readonly body: string
  readonly apiKey: string | undefined
}

/** `silence` keeps the connection open without a response. `after` runs once the caller has given up. */
export type Answer =
  | { readonly _tag: "json"; readonly status: number; readonly body: object }
  | { readonly _tag: "silence"; readonly after?: { readonly millis: number; readonly run: () => void } }

const json = (body: object, status = 200): Answer => ({ _tag: "json", status, body })
const error = (code: number, msg: string, status = 400) => json({ code, msg }, status)

const minute = 60_000
const intervals: Readonly<Record<string, number>> = {
  ...{ "1m": minute, "3m": 3 * minute, "5m": 5 * minute, "15m": 15 * minute, "30m": 30 * minute },
  ...{
    "1h": 60 * minute,
    "2h": 120 * minute,
    "4h": 240 * minute,
    "6h": 360 * minute,
    "8h": 480 * minute,
    "12h": 720 * minute
  },
  ...{ "1d": 1440 * minute, "3d": 4320 * minute, "1w": 10_080 * minute }
}

const listings = Prices.listings.filter(({ quote }) => quote !== "USD")
const idOf = ({ base, quote }: Prices.Listing) => `${base}${quote}`

const symbolInfo = (listing: Prices.Listing) => ({
  symbol: idOf(listing),
  status: "TRADING",
  baseAsset: listing.base,
  baseAssetPrecision: 8,
  quoteAsset: listing.quote,
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  orderTypes: ["LIMIT", "MARKET"],
  quoteOrderQtyMarketAllowed: true,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: false,
  filters: [
    {
      filterType: "PRICE_FILTER",
      minPrice: String(listing.tick),
      maxPrice: "1000000.00",
      tickSize: listing.tick.toFixed(8)
    },
    {
      filterType: "LOT_SIZE",
      minQty: listing.step.toFixed(8),
      maxQty: "9000.00000000",
      stepSize: listing.step.toFixed(8)
    },
    {
      filterType: "NOTIONAL",
      minNotional: listing.minNotional.toFixed(8),
      applyMinToMarket: true,
      maxNotional: "9000000.00000000",
      applyMaxToMarket: false,
      avgPriceMins: 5
    }
  ],
  permissions: [],
  permissionSets: [["SPOT"]]
})

const orderBody = (order: ExchangeLedger.Order) => ({
  symbol: idOf(order.listing),
  orderId: order.id,
  orderListId: -1,
  clientOrderId: order.clientId,
  price: Decimal.show(order.price),
  origQty: Decimal.show(order.quantity),
  executedQty: Decimal.show(ExchangeLedger.filledOf(order)),
  cummulativeQuoteQty: Decimal.show(ExchangeLedger.costOf(order)),
  status: order.status,
  timeInForce: order.timeInForce,
  type: order.type,
  side: order.side,
  time: order.time,
  updateTime: order.time,
  transactTime: order.time,
  isWorking: true
})

const fillBody = ({ fee, feeAsset, id, price, quantity }: ExchangeLedger.Fill) => ({
  price: Decimal.show(price),
  qty: Decimal.show(quantity),
  commission: Decimal.show(fee),
  commissionAsset: feeAsset,
  tradeId: id
})

const klines = (desk: ExchangeControl, query: URLSearchParams): Answer => {
  const listing = listings.find((each) => idOf(each) === query.get("symbol"))
  const duration = intervals[query.get("interval") ?? ""]
  if (listing === undefined) return error(-1121, "Invalid symbol.")
  if (duration === undefined) return error(-1120, "Invalid interval.")
  const limit = Math.min(Number(query.get("limit") ?? 500), 1000)
  const now = desk.now()
  const last = Math.floor(now / duration) * duration
  const start = query.get("startTime")
  const end = Math.min(Number(query.get("endTime") ?? now), now)
  const first = start === null ? last - (limit - 1) * duration : Math.ceil(Number(start) / duration) * duration
  const rows: Array<ReadonlyArray<string | number>> = []
  for (let time = first; time <= end && rows.length < limit; time += duration) {
    const { close, high, low, open, volume } = Prices.candle(listing, time, duration)
    rows.push([
      time,
      String(open),
      String(high),
      String(low),
      String(close),
      String(volume),
      time + duration - 1,
      "0",
      1,
      "0",
      "0",
      "0"
    ])
  }
  return json(rows)
}

const ticker = (desk: ExchangeControl, query: URLSearchParams): Answer => {
  const listing = listings.find((each) => idOf(each) === query.get("symbol"))
  if (listing === undefined) return error(-1121, "Invalid symbol.")
  const now = desk.now()
  const price = desk.books.price(listing, now)
  const wrong = desk.misquoted()
  return json({
    symbol: idOf(listing),
    ...{
      lastPrice: (wrong.last ?? price).toFixed(5),
      bidPrice: Decimal.show(Prices.bid(listing, wrong.bid ?? price)),
      bidQty: "100",
      askPrice: Decimal.show(Prices.ask(listing, wrong.ask ?? price)),
      askQty: "100"
    },
    ...{
      openPrice: price.toFixed(5),
      highPrice: price.toFixed(5),
      lowPrice: price.toFixed(5),
      volume: "1000",
      quoteVolume: "1000",
      openTime: now - 86_400_000,
      closeTime: now
    }
  })
}

const refusals: Readonly<Record<ExchangeLedger.Refusal, () => Answer>> = {
  insufficient: () => error(-2010, "Account has insufficient balance for requested action."),
  lot: () => error(-1013, "Filter failure: LOT_SIZE"),
  notional: () => error(-1013, "Filter failure: NOTIONAL"),
  price: () => error(-1013, "Filter failure: PRICE_FILTER"),
  duplicate: () => error(-2010, "Duplicate order sent.")
}

const place = (
  desk: ExchangeControl,
  account: ExchangeLedger.Account,
  params: URLSearchParams,
  part: bigint
): Answer => {
  const listing = listings.find((each) => idOf(each) === params.get("symbol"))
  if (listing === undefined) return error(-1121, "Invalid symbol.")
  const decimal = (name: string) => params.get(name) === null ? undefined : Decimal.parse(params.get(name) ?? "")
  const placed = desk.books.place(account, {
    listing,
    clientId: params.get("newClientOrderId") ?? crypto.randomUUID(),
    side: params.get("side") === "BUY" ? "BUY" : "SELL",
    type: params.get("type") === "MARKET" ? "MARKET" : "LIMIT",
    timeInForce: params.get("timeInForce") === "IOC" ? "IOC" : params.get("timeInForce") === "FOK" ? "FOK" : "GTC",
    quantity: decimal("quantity"),
    quoteQuantity: decimal("quoteOrderQty"),
    price: decimal("price"),
    time: desk.now()
  }, part)
  return typeof placed === "string"
    ? refusals[placed]()
    : json({ ...orderBody(placed), fills: placed.fills.map(fillBody) })
}

/** Places an order under the fault that applies to it. */
const order = (
  desk: ExchangeControl,
  account: ExchangeLedger.Account,
  params: URLSearchParams,
  fault: ReturnType<ExchangeControl["meet"]>
): Answer => {
  switch (fault) {
    case "timeoutBefore":
      return { _tag: "silence" }
    case "lateAcceptance":
      // The request takes this long to arrive; its timestamp is checked on arrival.
      return {
        _tag: "silence",
        after: {
          millis: desk.lateness,
          run: () => {
            if (isFresh(desk, params)) place(desk, account, params, 100n)
          }
        }
      }
    case "timeoutAfterAcceptance":
      place(desk, account, params, 100n)
      return { _tag: "silence" }
    case "duplicateId":
      place(desk, account, params, 100n)
      return refusals.duplicate()
    case "serverError":
      place(desk, account, params, 100n)
      return json({ code: -1000, msg: "An unknown error occurred while processing the request." }, 500)
    default:
      return place(desk, account, params, fault === "partialFill" ? 50n : 100n)
  }
}

const isFresh = (desk: ExchangeControl, params: URLSearchParams): boolean => {
  const timestamp = Number(params.get("timestamp"))
  return timestamp < desk.now() + 1000 && desk.now() - timestamp <= Number(params.get("recvWindow") ?? 5000)
}

const answerSigned = (
  desk: ExchangeControl,
  request: ExchangeRequest,
  fault: ReturnType<ExchangeControl["meet"]>
): Answer => {
  const text = [request.query, request.body].filter((part) => part !== "").join("&")
  const [payload = "", signature = ""] = text.split(/&signature=/)
  const account = request.apiKey === undefined ? undefined : desk.books.find(request.apiKey)
  if (account === undefined) return error(-2015, "Invalid API-key, IP, or permissions for action.", 401)
  const expected = Crypto.createHmac("sha256", account.secret).update(payload).digest("hex")
  if (expected !== signature) return error(-1022, "Signature for this request is not valid.")
  const params = new URLSearchParams(payload)
  if (!isFresh(desk, params)) return error(-1021, "Timestamp for this request is outside of the recvWindow.")
  const findOrder = () => {
    const [client, id] = [params.get("origClientOrderId"), params.get("orderId")]
    return account.orders.findLast((each) => client === null ? String(each.id) === id : each.clientId === client)
  }
  switch (`${request.method} ${request.path}`) {
    case "GET /sapi/v1/account/apiRestrictions":
      return json({
        ipRestrict: false,
        enableReading: true,
        enableSpotAndMarginTrading: true,
        enableWithdrawals: account.mayWithdraw,
        enableFutures: false
      })
    case "GET /api/v3/account":
      return json({
        ...{
          makerCommission: 10,
          takerCommission: 10,
          canTrade: true,
          canWithdraw: account.mayWithdraw,
          canDeposit: true,
          accountType: "SPOT",
          updateTime: desk.now()
        },
        balances: [...account.balances].map(([asset, { free, locked }]) => ({
          asset,
          free: Decimal.show(free),
          locked: Decimal.show(locked)
        }))
      })
    case "POST /api/v3/order":
      return order(desk, account, params, fault)
    case "GET /api/v3/order": {
      const found = findOrder()
      return found === undefined ? error(-2013, "Order does not exist.") : json(orderBody(found))
    }
    case "DELETE /api/v3/order": {
      const found = findOrder()
      if (found === undefined) return error(-2011, "Unknown order sent.")
      desk.books.cancel(account, found)
      return json(orderBody(found))
    }
    case "GET /api/v3/myTrades":
      return json(
        account.orders.filter(({ id, listing }) =>
          idOf(listing) === params.get("symbol") &&
          (params.get("orderId") === null || String(id) === params.get("orderId"))
        )
          .flatMap((each) =>
            each.fills.map((fill) => ({
              ...fillBody(fill),
              symbol: idOf(each.listing),
              id: fill.id,
              orderId: each.id,
              quoteQty: Decimal.show(Decimal.times(fill.price, fill.quantity)),
              time: each.time,
              isBuyer: each.side === "BUY",
              isMaker: false,
              isBestMatch: true
            }))
          )
      )
    default:
      return error(-1000, "The fake has no such path.", 404)
  }
}

/** Answers one request. */
export const answer = (desk: ExchangeControl, request: ExchangeRequest): Answer => {
  const { method, path, query } = request
  const fault = desk.meet({ exchange: "binance", method, path }, method === "POST" && path === "/api/v3/order")
  if (fault === "maintenance") return error(-1016, "This service is no longer available.", 503)
  if (fault === "rateLimited") {
    return error(-1003, "Too many requests; current limit is 1200 request weight per 1 MINUTE.", 429)
  }
  switch (path) {
    case "/api/v3/ping":
      return json({})
    case "/api/v3/time":
      return json({ serverTime: desk.now() })
    case "/api/v3/exchangeInfo":
      return json({
        timezone: "UTC",
        serverTime: desk.now(),
        rateLimits: [],
        exchangeFilters: [],
        symbols: listings.map(symbolInfo)
      })
    case "/api/v3/klines":
      return klines(desk, new URLSearchParams(query))
    case "/api/v3/ticker/24hr":
      return ticker(desk, new URLSearchParams(query))
    default:
      return answerSigned(desk, request, fault)
  }
}
