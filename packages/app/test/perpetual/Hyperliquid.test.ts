/** The sixth network: everything a network has for vaults, and clear messages about what it lacks. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import {
  type Answer,
  type Fields,
  rows,
  Running,
  running,
  trader,
  yieldVault
} from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

const network = "hyperliquid"

const failed = ({ body, status, text }: Answer, code: string, saying: RegExp) => {
  assert.deepStrictEqual([status, body["status"], body["status_code"]], [400, "fail", code], text)
  assert.match(String(body["message"]), saying)
}

/** A loaded machine may take long to quote. */
const service = running({ networks: [network, "base"], aggregators: true, env: { VENUE_TIMEOUT_MS: "20000" } })

layer(service, { timeout: 240_000, excludeTestServices: true })(
  "hyperliquid",
  (it) => {
    it.effect("has gas wallets, traders and compositions as every network", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const by = yield* trader({ network })
        const about = { apiKey: by.apiKey, network, pool: by.pool }
        const gas = succeeded(yield* ask("/getGasBalance", { query: { apiKey: by.apiKey, network, USD: "true" } }))
        assert.deepInclude(gas, { balance: "1", token: "HYPE" })
        assert.isAbove(Number(gas["balance_usd"]), 0)
        const { data } = succeeded(yield* ask("/isPoolTrader", { query: { ...about, trader: by.address } }))
        assert.deepInclude(data as Fields, { isTrader: true, poolTrader: by.address })
        const composition = succeeded(yield* ask("/poolComposition", { query: about }))["composition"] as ReadonlyArray<
          Fields
        >
        assert.includeMembers(composition.map(({ symbol }) => symbol), ["USDC", "WHYPE"])
      }))

    it.effect("trades through kyberswap and no other venue, and is charged in HYPE", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const by = yield* trader({ network })
        const about = { apiKey: by.apiKey, network, pool: by.pool }
        const approved = succeeded(yield* ask("/approve", { json: { ...about, asset: "USDC" } }))
        assert.strictEqual(approved["venue"], "kyberswap")
        const traded = succeeded(
          yield* ask("/vaultTrade", { query: { ...about, from: "USDC", to: "WHYPE", amount: "25" } })
        )
        assert.deepInclude(traded, { venue: "kyberswap", charge_usd: 0.1 })
        assert.strictEqual((yield* OnChain.receipt(network, traded["tx_hash"])).status, 1n)
        const elsewhere = yield* ask("/vaultTrade", {
          query: { ...about, from: "USDC", to: "WHYPE", amount: "25", platform: "uniswapV3" }
        })
        assert.deepStrictEqual(
          [elsewhere.status, elsewhere.body["error_type"]],
          [400, "venue_not_allowed"],
          elsewhere.text
        )
        assert.match(String(elsewhere.body["message"]), /^uniswapV3 cannot swap/)
        assert.deepStrictEqual(
          yield* rows(
            `select network, native_wei > 0 as priced from charges where intent_id = '${String(traded["intent_id"])}'`
          ),
          [{ network, priced: true }]
        )
        const price = succeeded(yield* ask(`/token-price/${network}`))
        assert.strictEqual(price["token"] ?? price["symbol"], "HYPE")
      }))

    it.effect("has no lenders and no liquidity, and says so", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const by = yield* trader({ network })
        const json = { apiKey: by.apiKey, network, pool: by.pool, asset: "USDC", amount: 10 }
        for (const path of ["/lend", "/unlend", "/borrow", "/repay", "/lenderBV3/lend", "/lenderC/lend"]) {
          failed(yield* ask(path, { json }), "2015", /not available on hyperliquid.*Nothing was sent/)
        }
        failed(
          yield* ask("/getHealthFactor", { query: { apiKey: by.apiKey, network, pool: by.pool } }),
          "2015",
          /hyperliquid/
        )
        const pair = { ...json, asset1: "USDC", asset2: "WHYPE", input_asset: "USDC" }
        failed(yield* ask("/addLiquidity", { json: pair }), "2015", /hyperliquid.*Nothing was sent/)
        assert.strictEqual(yield* OnChain.transactionCount(network, by.address), 0)
      }))

    it.effect("is the only network with perpetual contracts, and the one that is meant where none is named", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const by = yield* trader({ network: "base" })
        const about = { apiKey: by.apiKey, network: "base", pool: by.pool }
        const order = { coin: "ETH", side: "buy", usd: 50 }
        const saying = /no perpetual contracts on base/
        failed(yield* ask("/placePerpetualOrder", { json: { ...about, ...order } }), "2015", saying)
        failed(yield* ask("/depositToPerpetuals", { json: { ...about, amount: 10 } }), "2015", saying)
        failed(yield* ask("/withdrawFromPerpetuals", { json: { ...about, amount: 10 } }), "2015", saying)
        failed(yield* ask("/cancelPerpetualOrder", { json: { ...about, coin: "ETH", oid: 1 } }), "2015", saying)
        for (const path of ["/getPerpetualPositions", "/getPerpetualOrders", "/getPerpetualMarkets"]) {
          failed(yield* ask(path, { query: about }), "2015", saying)
        }
        refused(
          yield* ask("/getPerpetualPositions", { query: { apiKey: by.apiKey, pool: by.pool } }),
          "1004",
          /not a vault of the platform on hyperliquid/
        )
        refused(
          yield* ask("/getPerpetualPositions", { query: { ...about, network: "solana" } }),
          "1000",
          /solana|one of/
        )
        const pool = yield* yieldVault(network)
        assert.deepInclude(
          succeeded(yield* ask("/getPerpetualPositions", { query: { apiKey: by.apiKey, pool } }))["data"] as Fields,
          { positions: [] }
        )
      }))
  }
)
