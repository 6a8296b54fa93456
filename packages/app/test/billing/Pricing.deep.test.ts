import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Answer, type Fields, rows, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

const failed = ({ fields, status, text }: Answer, code: string): string => {
  assert.strictEqual(status, code.startsWith("1") ? 200 : 400, text)
  assert.strictEqual(fields["status_code"], code, text)
  return String(fields["message"])
}

const list = (value: unknown) => value as ReadonlyArray<Fields>

layer(running({ networks: ["base", "polygon"], env: { PRICE_LEND_USD: "0.07" } }), {
  timeout: 240_000,
  excludeTestServices: true
})("the pricing endpoints", (it) => {
  it.effect("return prices of two sources with their age, without a key, of the native token or of the token that is named", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const ether = succeeded(yield* ask("/eth-price"))
      assert.deepInclude(ether, { network: "base", token: "ETH", price_usd: 3000, source: "platform-oracle" })
      assert.deepStrictEqual(list(ether["sources"]).map(({ source }) => source), ["platform-oracle", "uniswapV3-usdc"])
      for (const { age_seconds, price_usd } of list(ether["sources"])) {
        assert.approximately(Number(price_usd), 3000, 60)
        assert.isTrue(Number.isInteger(age_seconds) && Number(age_seconds) >= 0)
      }
      const weth = yield* OnChain.token("base", "WETH")
      assert.deepInclude(succeeded(yield* ask("/token-price/BASE")), {
        token: "ETH",
        contract: weth,
        decimals: 18,
        price_usd: 3000
      })
      assert.deepInclude(succeeded(yield* ask("/token-price/polygon")), { token: "POL", price_usd: 0.5 })
      assert.deepInclude(succeeded(yield* ask("/token-price/base", { query: { token: "usdc" } })), {
        token: "USDC",
        price_usd: 1,
        decimals: 6
      })
      assert.deepInclude(succeeded(yield* ask("/token-price/base", { json: { asset: weth } })), {
        token: "WETH",
        price_usd: 3000
      })
      // A read's path wins over other parameters.
      assert.deepInclude(succeeded(yield* ask("/token-price/polygon", { query: { network: "base" } })), {
        token: "POL"
      })
    }))

  it.effect("refuse what names nothing", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      assert.match(failed(yield* ask("/eth-price", { query: { network: "polygon" } }), "1010"), /POL/)
      assert.match(failed(yield* ask("/token-price/ethereum"), "1000"), /not configured/)
      failed(yield* ask("/token-price/nowhere"), "1000")
      assert.match(failed(yield* ask("/token-price/base", { query: { token: "NOPE" } }), "1010"), /NOPE/)
      failed(yield* ask("/token-price/base", { query: { token: "USDC", asset: "WETH" } }), "1010")
      assert.match(
        failed(yield* ask("/calculate-fee/fly/base"), "1010"),
        /'fly' is not an action; actions are .*vaultTrade/
      )
      failed(yield* ask("/calculate-fee/vaultTrade/nowhere"), "1000")
      assert.strictEqual((yield* ask("/token-price")).status, 404)
      assert.strictEqual((yield* ask("/calculate-fee/vaultTrade")).status, 404)
      assert.strictEqual((yield* ask("/test/base", { method: "DELETE" })).status, 405)
    }))

  it.effect("return what every action costs, at the operator's prices, in USD and in native token", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const fee = (action: string, network = "base") =>
        Effect.map(ask(`/calculate-fee/${action}/${network}`), succeeded)
      assert.deepInclude(yield* fee("vaultTrade"), {
        action: "vaultTrade",
        network: "base",
        fee_usd: 0.1,
        fee_native: "0.000033333333333333",
        token: "ETH",
        native_price_usd: 3000
      })
      assert.deepInclude(yield* fee("lend", "polygon"), { fee_usd: 0.07, fee_native: "0.14", token: "POL" })
      assert.deepInclude(yield* fee("lenderAV3%2Fborrow"), { action: "lenderAV3/borrow", fee_usd: 0.07 })
      assert.deepInclude(yield* fee("poolComposition"), { fee_usd: 0, fee_native: "0" })
      // The names of the specification's price table.
      for (
        const [action, usd] of [
          ...[["trade", 0.1], ["approve", 0.02], ["lend", 0.07], ["borrow", 0.07], ["repay", 0.07]] as const,
          ...[["deposit", 0], ["withdraw", 0], ["composition", 0], ["cex_trade", 0.1]] as const
        ]
      ) {
        assert.deepInclude(yield* fee(action), { action, fee_usd: usd })
      }
      assert.deepInclude(succeeded(yield* ask("/api/cex/calculateFee")), {
        action: "exchangeTrade",
        fee_usd: 0.1,
        network: "base"
      })
      const { actions } = succeeded(yield* ask("/all-actions"))
      assert.deepInclude(list(actions), {
        action: "lenderC/lend",
        class: "lend",
        billed: true,
        path: "/lenderC/lend",
        price_usd: 0.07
      })
      const told = list(succeeded(yield* ask("/llmIntrospect"))["endpoints"])
      for (const { name, price_usd } of told) {
        assert.strictEqual(list(actions).find(({ action }) => action === name)?.["price_usd"], price_usd, String(name))
      }
    }))

  it.effect("return the health of a network", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const rpc = yield* Effect.orDie(devnet.rpc("base"))
      yield* Effect.orDie(rpc.mine)
      const told = succeeded(yield* ask("/test/base"))
      assert.deepInclude(told, { network: "base", chain_id: 8453, token: "ETH" })
      assert.isTrue(Number(told["block"]) > 0 && Number(told["age_seconds"]) < 60, JSON.stringify(told))
    }))

  it.effect("answer 2012 naming both sides when sources contradict each other; actions go on and are converted later", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const { address, apiKey, pool } = yield* trader({ network: "polygon" })
      yield* Effect.orDie(devnet.setPrice({ network: "polygon", symbol: "WMATIC", usd: 0.6 }))
      const message = failed(yield* ask("/token-price/polygon"), "2012")
      assert.match(
        message,
        /more than 2 % apart: platform-oracle says 0\.6 USD, uniswapV3-usdc 0\.4\d* USD|platform-oracle says 0\.6 USD, uniswapV3-usdc 0\.5 USD/
      )
      // Prices for booking are read at most every ten seconds: another wallet, at another time, would see the same.
      const charge = rows(
        `select usd::float8 as usd, native_wei::text as wei, price_source as source from charges where wallet = '${address}'`
      )
      let approved = 0
      for (let unpriced = false; !unpriced;) {
        approved += 1
        succeeded(
          yield* ask("/approve", { json: { apiKey, network: "polygon", pool, asset: "USDC", amount: approved } })
        )
        unpriced = (yield* charge).some(({ wei }) => wei === null)
      }
      const fee = succeeded(yield* ask("/calculate-fee/approve/polygon"))
      assert.deepInclude(fee, { fee_usd: 0.02, fee_native: null, native_price_usd: null })
      yield* Effect.orDie(devnet.setPrice({ network: "polygon", symbol: "WMATIC", usd: 0.5 }))
      const converted = yield* Effect.repeat(Effect.delay(charge, "100 millis"), {
        until: (all) => all.every(({ wei }) => wei !== null)
      })
      assert.deepStrictEqual(
        converted,
        Array.from(
          { length: approved },
          () => ({ usd: 0.02, wei: (4n * 10n ** 16n).toString(), source: "platform-oracle" })
        )
      )
    }))

  it.effect("report a vault's days: fees, gas, volume and slippage, of the wallet that asks", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { apiKey, pool } = yield* trader()
      const about = { apiKey, network: "base", pool }
      succeeded(yield* ask("/poolComposition", { query: about }))
      const trade = succeeded(yield* ask("/vaultTrade", { json: { ...about, from: "USDC", to: "WETH", amount: 100 } }))
      const { bought_usd, slippage_percent, sold_usd } = trade["oracle"] as Fields
      assert.strictEqual(sold_usd, 100)
      assert.approximately(Number(bought_usd), 100, 1)
      succeeded(yield* ask("/approve", { json: { ...about, asset: "DAI" } }))
      const report = succeeded(yield* ask("/getReport", { query: { ...about, format: "csv" } }))
      const [day, ...others] = list(report["days"])
      assert.deepStrictEqual(others, [])
      assert.deepInclude(day, {
        actions: 2,
        failed: 0,
        fees_usd: 0.12,
        volume_usd: 100,
        fees_native: "0.000039999999999999"
      })
      assert.approximately(Number(day?.["slippage_percent"]), Number(slippage_percent), 0.001)
      assert.isAbove(Number(day?.["gas_usd"]), 0)
      assert.isNumber(day?.["token_price"])
      assert.deepInclude(report["total"] as Fields, { actions: 2, fees_usd: 0.12 })
      assert.match(String(report["csv"]), /^date,actions,.*\r\n\d{4}-\d{2}-\d{2},2,0,0\.12,/)
      const stranger = yield* trader()
      assert.deepInclude(
        succeeded(yield* ask("/getReport", { query: { ...about, apiKey: stranger.apiKey } }))["total"] as Fields,
        { actions: 0, fees_usd: 0 }
      )
      assert.match(
        failed(yield* ask("/getReport", { query: { ...about, from: "2026-11-20", to: "2026-11-19" } }), "1010"),
        /later than from/
      )
    }))
})
