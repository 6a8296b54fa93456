import { assert, layer } from "@effect/vitest"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import * as Prices from "@vault-trader/devnet/exchange/Prices"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { days, sideOf } from "../../src/exchange/TrendStrategy.ts"
import { customer, life, over, persisting, Stage } from "./TestAccount.ts"

const day = 86_400_000

layer(Stage, { timeout: 240_000, excludeTestServices: true })("the strategy trend", (it) => {
  it("is long above the mean of the last fifty closes, neutral at or below it, and none for fewer", () => {
    const flat = Array.from({ length: days - 1 }, () => 100)
    assert.deepStrictEqual(sideOf([...flat, 101]), Option.some("long"))
    assert.deepStrictEqual(sideOf([...flat, 99]), Option.some("neutral"))
    assert.deepStrictEqual(sideOf([...flat, 100]), Option.some("neutral"))
    assert.deepStrictEqual(sideOf([1_000_000, ...flat, 101]), Option.some("long"))
    assert.deepStrictEqual(sideOf(flat), Option.none())
  })

  it.effect("chooses the side of its bot from the exchange's own closed candles, regardless of the side that was set", () =>
    Effect.gen(function*() {
      const { account, credentials, id, there, wallet } = yield* customer({ USDT: 10_000, BTC: 1 })
      const actor = yield* life(id)
      yield* persisting(actor.register({ ...account, credentials }))
      const listing = Prices.listings.find(({ base, quote }) => base === "BTC" && quote === "USDT") ??
        assert.fail("no such market")
      const today = Math.floor(Date.now() / day) * day
      const expected = Option.getOrThrow(
        sideOf(
          Array.from({ length: days }, (_, index) => Prices.candle(listing, today - (days - index) * day, day).close)
        )
      )
      const opposite = expected === "long" ? "neutral" : "long"
      const { intentId } = yield* persisting(actor.setSide({
        ...{ wallet, pair: "BTC-USDT", side: opposite, strategy: "trend", share: 100, idempotencyKey: null },
        maxUsd: BigDecimal.fromStringUnsafe("1000000")
      }))
      yield* over(intentId)
      const store = yield* ExchangeStore
      const found = yield* Effect.orDie(store.ofWallet(wallet, "main"))
      const [bot] = yield* Effect.orDie(store.bots(Option.getOrThrow(found).id))
      assert.strictEqual(bot?.side, expected)
      assert.deepStrictEqual(there.orders.map(({ side }) => side), [expected === "long" ? "BUY" : "SELL"])
    }))
})
