import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { type Fields, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import { until } from "@vault-trader/testing/harness/Until"
import * as Effect from "effect/Effect"

const network = "base"

layer(running({ env: { PERFORMANCE_SAMPLE_SECONDS: "2" } }), { timeout: 120_000, excludeTestServices: true })(
  "the performance of a vault",
  (it) => {
    it.effect("is sampled from the chain and reported with its trades, lots and a tearsheet", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const devnet = yield* Devnet
        const { pool } = yield* Effect.orDie(
          devnet.createVault({ network, name: "Performance", invested: 10_000_000_000n })
        )
        yield* OnChain.mining(network)
        const { apiKey } = yield* trader({ network, pool })
        const query = { apiKey, network, pool }
        succeeded(yield* ask("/linkGasWallet", { json: query }))
        const performance = Effect.map(
          ask("/getPerformance", { query: { ...query, format: "csv" } }),
          (answer) => succeeded(answer)
        )
        const sampled = (enough: (data: Fields) => boolean) =>
          until(
            "samples",
            Effect.map(performance, (found) => enough(found["data"] as Fields) ? found : undefined)
          )
        const curveOf = (data: Fields) => [data["curve"]].flat() as ReadonlyArray<Fields>
        yield* sampled((data) => data["start_value_usd"] === "10000")
        succeeded(
          yield* ask("/vaultTrade", { json: { ...query, from: "USDC", to: "WETH", amount: "4000", slippage: "2" } })
        )
        const after = yield* sampled((data) => data["end_value_usd"] !== "10000")
        const data = after["data"] as Fields
        const last = curveOf(data).at(-1)!
        // The trade's loss to the pool is the vault's only profit or loss; there was no deposit.
        assert.approximately(Number(data["pnl_usd"]), Number(last["value_usd"]) - 10_000, 0.01)
        assert.strictEqual(Number(data["net_flows_usd"]), 0)
        const { gas_usd: gas, trades, turnover_usd: turnover } = data["trading"] as Fields
        assert.deepStrictEqual([trades, Math.round(Number(turnover))], [1, 4_000])
        assert.isAbove(Number(gas), 0)
        assert.isBelow(Number(data["pnl_after_gas_usd"]), Number(data["pnl_usd"]))
        assert.isNumber((data["trading"] as Fields)["slippage_quote_percent"])
        assert.match(String(after["csv"]), /^time,block,value_usd,share_price/)

        const lots = succeeded(yield* ask("/getTaxLots", { query: { ...query, format: "csv", lots: "hifo" } }))
        assert.match(String(lots["csv"]), /0x[0-9a-f]{40},USDC,4000,/)
        const { html } = succeeded(yield* ask("/getTearsheet", { query: { ...query, benchmark: "WETH" } }))
        assert.match(String(html), /<svg[\s\S]*Holding WETH/)
        assert.notMatch(String(html), /<script|http:|https:/)
      }))
  }
)
