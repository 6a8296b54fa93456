import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { movePrices } from "@vault-trader/devnet/devnet/MarketMaker"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"
import * as Effect from "effect/Effect"

const network = "base"

/** Moves WETH's price at the oracle and in the pools. */
const moveTo = (usd: number) =>
  Effect.flatMap(Devnet, (devnet) => Effect.orDie(movePrices(devnet, [{ network, symbol: "WETH", usd }])))

const scene = Effect.gen(function*() {
  const { ask } = yield* Running
  const pool = yield* OnChain.createVault(network, 10_000n)
  const { address, apiKey } = yield* trader({ network, pool })
  const place = (params: Fields) =>
    Effect.map(
      ask("/placeOrder", { json: { apiKey, network, pool, pair: "WETH-USDC", ...params } }),
      (answer) => String((succeeded(answer)["data"] as Fields)["id"])
    )
  const order = (id: string) => Effect.map(ask("/getOrder", { query: { apiKey, order: id } }), succeeded)
  const done = (id: string) =>
    until(
      "the order's end",
      Effect.map(order(id), (found) => (found["data"] as Fields)["state"] === "done" ? found : undefined)
    )
  return { ask, apiKey, pool, place, order, done, sent: OnChain.transactionCount(network, address) }
})

layer(running({ env: { ORDER_CHECK_SECONDS: "1" } }), { timeout: 120_000, excludeTestServices: true })(
  "orders",
  (it) => {
    it.effect("a limit order fills when the pool's price reaches it, and a bracket sells once at one of its prices", () =>
      Effect.gen(function*() {
        yield* moveTo(3000)
        const { apiKey, ask, done, order, place, pool, sent } = yield* scene
        const buy = yield* place({ type: "limit", side: "buy", amount: "5000", limit_price: "2600" })
        assert.deepInclude((yield* order(buy))["data"] as Fields, { state: "open", remaining: "5000" })
        yield* moveTo(2500)
        const bought = (yield* done(buy))["data"] as Fields
        assert.isAtMost(Number(bought["average_price"]), 2600)
        assert.strictEqual(yield* OnChain.balanceOf(network, "USDC", pool), 5_000_000_000n)

        const bracket = yield* place({
          ...{ type: "bracket", side: "sell", share: "100", stop_price: "2300", take_profit_price: "2900" },
          reduce_only: true
        })
        yield* moveTo(2200)
        const closed = yield* done(bracket)
        assert.deepInclude((closed["data"] as Fields)["trigger"] as Fields, { condition: "stop" })
        assert.strictEqual(yield* OnChain.balanceOf(network, "WETH", pool), 0n)
        assert.strictEqual(yield* sent, 2)

        const resting = yield* place({ type: "limit", side: "buy", amount: "100", limit_price: "1000" })
        const cancelled = succeeded(yield* ask("/cancelOrder", { json: { apiKey, network, pool, order: resting } }))
        assert.deepInclude((cancelled["orders"] as ReadonlyArray<Fields>)[0]!, { id: resting, state: "cancelled" })
        yield* moveTo(3000)
      }))
  }
)
