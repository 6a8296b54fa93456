/** A fake of Coinbase's public market data: products, candles, the latest trade. Its prices are made up. */
import type { ExchangeRequest, Answer } from "./Binance.ts"
import * as Decimal from "./Decimal.ts"
import type { ExchangeControl } from "./ExchangeControl.ts"
import * as Prices from "./Prices.ts"

const json = (body: object, status = 200): Answer => ({ _tag: "json", status, body })

/** Seconds. */
const granularities: Readonly<Record<string, number>> = {
  ...{ ONE_MINUTE: 60, FIVE_MINUTE: 300, FIFTEEN_MINUTE: 900, THIRTY_MINUTE: 1800 },
  ...{ ONE_HOUR: 3600, TWO_HOUR: 7200, SIX_HOUR: 21_600, ONE_DAY: 86_400 }
}
const idOf = ({ base, quote }: Prices.Listing) => `${base}-${quote}`

const product = (listing: Prices.Listing, price: number) => ({
  product_id: idOf(listing),
  price: String(price),
  base_increment: listing.step.toFixed(8),
  quote_increment: String(listing.tick),
  price_increment: String(listing.tick),
  quote_min_size: String(listing.minNotional),
  quote_max_size: "150000000",
  base_min_size: listing.step.toFixed(8),
  base_max_size: "3400",
  ...{
    base_name: listing.base,
    quote_name: listing.quote,
    status: "online",
    product_type: "SPOT",
    trading_disabled: false,
    is_disabled: false
  },
  ...{ quote_currency_id: listing.quote, base_currency_id: listing.base, alias: "", alias_to: [] }
})

const candles = (listing: Prices.Listing, query: URLSearchParams, now: number): Answer => {
  const duration = granularities[query.get("granularity") ?? ""]
  if (duration === undefined) return json({ error: "INVALID_ARGUMENT", message: "granularity is not known" }, 400)
  const [start, end] = [Number(query.get("start")), Math.min(Number(query.get("end")), now / 1000)]
  // Like the real API, which refuses a range of more candles than this.
  if ((Number(query.get("end")) - start) / duration > 350) {
    return json({ error: "INVALID_ARGUMENT", message: "number of candles requested should be less than 350" }, 400)
  }
  const rows: Array<object> = []
  for (let time = Math.ceil(start / duration) * duration; time <= end; time += duration) {
    const { close, high, low, open, volume } = Prices.candle(listing, time * 1000, duration * 1000)
    rows.unshift({
      start: String(time),
      low: String(low),
      high: String(high),
      open: String(open),
      close: String(close),
      volume: String(volume)
    })
  }
  return json({ candles: rows })
}

/** Answers one request. */
export const answer = (
  desk: ExchangeControl,
  { method, path, query }: Pick<ExchangeRequest, "method" | "path" | "query">
): Answer => {
  const fault = desk.meet({ exchange: "coinbase", method, path }, false)
  if (fault === "maintenance") return json({ error: "UNAVAILABLE", message: "maintenance" }, 503)
  if (fault === "rateLimited") return json({ error: "rate_limit_exceeded", message: "Too many requests" }, 429)
  const now = desk.now()
  const params = new URLSearchParams(query)
  if (path === "/v2/currencies" || path === "/v2/currencies/crypto") return json({ data: [] })
  if (path === "/v2/exchange-rates") return json({ data: { currency: "USD", rates: {} } })
  if (path === "/api/v3/brokerage/market/products") {
    const wanted = params.get("product_type")
    return json({
      products: wanted === null || wanted === "SPOT"
        ? Prices.listings.map((each) => product(each, desk.books.price(each, now)))
        : [],
      num_products: Prices.listings.length
    })
  }
  const [, id, what] = /^\/api\/v3\/brokerage\/market\/products\/([A-Z-]+)\/(candles|ticker)$/.exec(path) ?? []
  const listing = Prices.listings.find((each) => idOf(each) === id)
  if (listing === undefined || what === undefined) {
    return json({ error: "NOT_FOUND", message: `the fake has no ${path}` }, 404)
  }
  if (what === "candles") return candles(listing, params, now)
  const price = desk.books.price(listing, now)
  return json({
    trades: [{
      trade_id: "1",
      product_id: id,
      price: price.toFixed(5),
      size: "0.1",
      time: new Date(now).toISOString(),
      side: "BUY"
    }],
    best_bid: Decimal.show(Prices.bid(listing, price)),
    best_ask: Decimal.show(Prices.ask(listing, price))
  })
}
