import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type { Fault } from "@vault-trader/devnet/exchange/ExchangeFault"
import * as Holdings from "@vault-trader/devnet/exchange/Holdings"
import * as Effect from "effect/Effect"
import * as SeededRandom from "../../src/SeededRandom.ts"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { customer, holds, outcome } from "@vault-trader/testing/harness/ExchangeSetup"
import { type Fields, Running, rows, running } from "@vault-trader/testing/harness/Harness"
import { until } from "@vault-trader/testing/harness/Until"

const env = { EXCHANGE_CHECK_SECONDS: "1" }

layer(running({ env }), { timeout: 240_000, excludeTestServices: true })("exchange accounts", (it) => {
  it.effect("are connected, trade to the side of their bot at once, keep it, stop, come back, and are gone when deleted", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { exchange } = yield* Devnet
      exchange.books.setPrice("BTC", "USDT", 50_000)
      const { about, bots, gas, register, remove, set, there } = yield* customer()
      const answer = succeeded(yield* register({ payment_network: "base" }))
      assert.deepInclude(answer["data"] as Fields, {
        subaccount_name: "main",
        exchange: "binance",
        gas_wallet: gas.address,
        payment_network: "base"
      })
      assert.deepStrictEqual(answer["balances"], [{ asset: "USDT", free: "10000" }])

      const long = succeeded(yield* set({ share: 50, max_usd: 4000 }))
      assert.deepInclude(long, { tx_hash: null })
      const bought = yield* outcome(gas.apiKey, long["intent_id"])
      assert.match(String(bought["message"]), /^Bought 0\.07958 BTC for 3979\.7958 USDT\.$/)
      assert.deepInclude(bought, { endpoint: "setCEXSide", network: null, pool: null })
      assert.deepInclude(bought["result"] as Fields, {
        side: "buy",
        filled: "0.07958",
        fees: [{ currency: "BTC", amount: "0.00007958" }],
        charge_usd: "0.1"
      })
      assert.strictEqual(holds(there, "USDT"), "6020.20420000")

      // Repeating it changes nothing; settings that are not named keep their values.
      const again = succeeded(yield* set({ share: 50, max_usd: 4000 }))
      assert.match(String((yield* outcome(gas.apiKey, again["intent_id"]))["message"]), /Nothing was sent\.$/)

      // A deposit is new money: half of it becomes BTC.
      there.balances.get("USDT")!.free += 2_000n * 100_000_000n
      yield* until("the bot's own order", Effect.sync(() => there.orders.length === 2 ? true : undefined))
      yield* until(
        "its end",
        Effect.map(
          rows(`select 1 from exchange_orders where status not in ('closed', 'held')`),
          ({ length }) => length === 0 ? true : undefined
        )
      )
      assert.strictEqual(holds(there, "BTC"), "0.09957033")

      const neutral = succeeded(yield* set({ side: "neutral" }))
      assert.match(String((yield* outcome(gas.apiKey, neutral["intent_id"]))["message"]), /^Sold 0\.09957 BTC for/)
      assert.strictEqual(there.orders.length, 3)

      const { data } = succeeded(yield* ask("/deactivateCEXBot", { json: { ...about, pair: "btc/usdt" } }))
      assert.deepInclude(data as Fields, { pair: "BTC-USDT", active: false, side: "neutral", max_usd: 1_000_000 })
      const back = succeeded(yield* set({ side: "long" }))
      assert.match(String((yield* outcome(gas.apiKey, back["intent_id"]))["message"]), /^Bought/)
      assert.deepInclude((yield* bots)[0], { active: true, side: "long" })

      const { orders } = succeeded(yield* ask("/getCEXOrders", { query: about }))
      assert.deepStrictEqual((orders as ReadonlyArray<Fields>).map(({ state }) => state), [
        "closed",
        "closed",
        "closed",
        "held",
        "closed"
      ])
      const { subaccounts } = succeeded(
        yield* ask("/getAllCEXSubaccounts", { query: { gas_wallet_api_key: gas.apiKey } })
      )
      assert.strictEqual((subaccounts as ReadonlyArray<Fields>).length, 1)
      assert.deepStrictEqual(
        succeeded(yield* ask("/deleteCEXBot", { method: "DELETE", query: { ...about, pair: "BTC-USDT" } }))["removed"],
        ["BTC-USDT"]
      )
      succeeded(yield* set({ side: "hold" }))
      assert.deepStrictEqual(succeeded(yield* remove)["removed"], ["BTC-USDT"])
      refused(yield* set(), "1010", /^subaccount_name: the key's wallet has no sub-account main$/)
      assert.deepStrictEqual(yield* rows("select 1 from exchange_accounts"), [])
      assert.deepStrictEqual(yield* rows("select 1 from exchange_bots"), [])
    }))
})

/** Faults of orders, and their rates in percent. */
const weather: ReadonlyArray<readonly [Fault, number]> = [
  ["timeoutAfterAcceptance", 25],
  ["serverError", 8],
  ["duplicateId", 3],
  ["partialFill", 8],
  ["rateLimited", 2],
  ["timeoutBefore", 2]
]

layer(running({ env: { ...env, EXCHANGE_TIMEOUT_MS: "1000", EXCHANGE_WINDOW_MS: "2000" } }), {
  timeout: 240_000,
  excludeTestServices: true
})("an exchange bot", (it) => {
  it.effect(
    "set long and neutral two hundred times, while its orders time out and worse, ends with ledger, bill and exchange equal",
    () =>
      Effect.gen(function*() {
        const { exchange } = yield* Devnet
        const chance = SeededRandom.make(7)
        const { gas, register, set, there } = yield* customer({ balances: { USDT: 10_000, BTC: 0 } })
        exchange.books.setPrice("BTC", "USDT", 50_000)
        succeeded(yield* register())
        exchange.silence = 50
        exchange.injectEach(() => {
          let sum = 0
          const drawn = chance.next()
          return weather.find(([, percent]) => (sum += percent / 100) > drawn)?.[0]
        })
        for (let flip = 0; flip < 200; flip++) {
          const answer = succeeded(yield* set({ side: flip % 2 === 0 ? "long" : "neutral" }))
          yield* outcome(gas.apiKey, answer["intent_id"])
        }
        exchange.heal()
        yield* outcome(gas.apiKey, succeeded(yield* set({ side: "hold" }))["intent_id"])
        yield* until(
          "the end of all orders",
          Effect.map(
            rows("select 1 from exchange_orders where status in ('accepted', 'decided', 'sending')"),
            ({ length }) => length === 0 ? true : undefined
          )
        )
        const closed = (yield* rows(
          `select client_id, side, pair, filled::text as filled, cost::text as cost, fees, charge_usd::text as charge from exchange_orders
        where wallet = '${gas.address}' and status = 'closed'`
        )) as unknown as ReadonlyArray<
          Holdings.Executed & { readonly client_id: string; readonly charge: string | null }
        >
        const placed = there.orders.map(({ clientId }) => clientId)
        assert.strictEqual(new Set(placed).size, placed.length, "an id was used for two orders")
        assert.sameMembers(placed, closed.map(({ client_id }) => client_id))
        assert.deepStrictEqual(Holdings.implied({ USDT: "10000", BTC: "0" }, closed), Holdings.held(there))
        const charged = yield* rows(`select reference from charges where wallet = '${gas.address}' and usd = 0.1`)
        assert.lengthOf(charged, closed.filter(({ charge }) => charge !== null).length)
        assert.isAbove(closed.length, 150)
      }),
    600_000
  )
})
