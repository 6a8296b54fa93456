import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Prices from "@vault-trader/devnet/exchange/Prices"
import * as Effect from "effect/Effect"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, Running, running, wallet } from "@vault-trader/testing/harness/Harness"

interface Candle {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

const hour = 3600
const candlesOf = (fields: Fields) => fields["candles"] as ReadonlyArray<Candle>

const listing = (base: string, quote: string) =>
  Prices.listings.find((each) => each.base === base && each.quote === quote) ?? assert.fail("no such market")

layer(running(), { timeout: 240_000, excludeTestServices: true })("market data", (it) => {
  it.effect("has 200 closed candles of six hours of BTC-USD on coinbase by default, oldest first", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { apiKey } = yield* wallet
      const candles = candlesOf(succeeded(yield* ask("/getCandles", { query: { apiKey } })))
      assert.lengthOf(candles, 200)
      assert.isTrue(candles.every(({ time }, index) => index === 0 || time === candles[index - 1]!.time + 6 * hour))
      assert.isAtMost(candles.at(-1)!.time + 6 * hour, Date.now() / 1000)
      const [first] = candles
      const { time, ...expected } = Prices.candle(listing("BTC", "USD"), first!.time * 1000, 6 * hour * 1000)
      assert.deepStrictEqual({ ...first }, { time: time / 1000, ...expected })
    }))

  it.effect("serves a year of hours from storage once it was read, without a call to the exchange, which need not be there", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { exchange } = yield* Devnet
      const { apiKey } = yield* wallet
      const bars = 365 * 24
      const end = Math.floor(Date.now() / 1000 / hour) * hour
      const year = Effect.gen(function*() {
        let before = end
        let found: ReadonlyArray<Candle> = []
        while (found.length < bars) {
          const query = {
            apiKey,
            exchange: "binance",
            pair: "BTC/USDT",
            timeframe: "1h",
            bars_back: String(Math.min(1000, bars - found.length)),
            before: String(before)
          }
          const page = candlesOf(succeeded(yield* ask("/getCandles", { query })))
          assert.isAbove(page.length, 0)
          found = [...page, ...found]
          before = page[0]!.time
        }
        return found
      })
      const read = yield* year
      assert.deepStrictEqual(
        read.map(({ time }) => time),
        Array.from({ length: bars }, (_, index) => end - (bars - index) * hour)
      )
      exchange.forget()
      exchange.inject("maintenance")
      assert.deepStrictEqual(yield* year, read)
      assert.deepStrictEqual(exchange.seen(), [])
      exchange.heal()
    }))

  it.effect("queries an exchange once for concurrent identical requests", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { exchange } = yield* Devnet
      const { apiKey } = yield* wallet
      succeeded(yield* ask("/getTicks", { query: { apiKey, exchange: "binance", pair: "SOL-USDT" } }))
      exchange.forget()
      const query = { apiKey, exchange: "binance", pair: "ETH-USDT", timeframe: "15m", bars_back: "100" }
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => ask("/getCandles", { query })), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
      assert.lengthOf(exchange.seen().filter(({ path }) => path === "/api/v3/klines"), 1)
    }))

  it.effect("has the latest price of a pair", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { exchange } = yield* Devnet
      const { apiKey } = yield* wallet
      exchange.books.setPrice("ETH", "USDC", 3210.5)
      const { price, time } = succeeded(
        yield* ask("/getTicks", { query: { apiKey, exchange: "binance", pair: "eth_usdc" } })
      )
      assert.strictEqual(price, 3210.5)
      assert.isAtMost(Number(time), Date.now() / 1000)
    }))
})
