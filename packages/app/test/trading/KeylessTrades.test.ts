import { assert, layer } from "@effect/vitest"
import { KeyLimits, none } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import type { Network } from "@vault-trader/core/chain/Network"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, rows, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

/** The networks where the vault platform guards 1inch's router. */
const networks: ReadonlyArray<Network> = ["optimism", "base", "arbitrum", "polygon", "ethereum"]

/** No venue's API has a key, and KyberSwap's, which needs none, cannot be reached. */
const service = running({
  networks,
  aggregators: true,
  venueKeys: false,
  env: { VENUE_TIMEOUT_MS: "20000", WAIT_SECONDS: "120" },
  books: (books) =>
    Effect.succeed(books.map(({ aggregators: { kyberswap, ...others }, ...book }) => ({
      ...book,
      aggregators: {
        ...others,
        ...(kyberswap === undefined ? {} : { kyberswap: { ...kyberswap, url: "http://127.0.0.1:9" } })
      }
    })))
})

const raw = (quantity: unknown): bigint => BigInt(String((quantity as Fields)["raw"]))

/** Runs an effect with the guards of the live networks: no exchange's own router is guarded. */
const withLiveGuards = <A, E, R>(network: Network, effect: Effect.Effect<A, E, R>) =>
  OnChain.whileUnguarded(network, "uniswapV3", OnChain.whileUnguarded(network, "quickswap", effect))

layer(service, { timeout: 240_000, excludeTestServices: true })(
  "without an API key and with live guards only",
  (it) => {
    for (const network of networks) {
      it.effect(`a vault on ${network} trades through 1inch's router, with auto, best and by name, over one pool and over two`, () =>
        withLiveGuards(
          network,
          Effect.gen(function*() {
            const { ask } = yield* Running
            const { aggregators } = yield* Devnet
            yield* aggregators.forget
            const { apiKey, pool } = yield* trader({ network })
            const from = (symbol: string) => OnChain.balanceOf(network, symbol, pool)
            for (
              const [platform, sold, bought, amount, pools] of [
                ["auto", "USDC", "WETH", "100", 1],
                ["1inch", "WETH", "USDC", "0.01", 1],
                ["best", "USDC", "WETH", "100", 1],
                ["auto", "USDC", "DAI", "50", 1],
                ["auto", "DAI", "WETH", "40", 2]
              ] as const
            ) {
              const before = [yield* from(sold), yield* from(bought)] as const
              const answer = succeeded(
                yield* ask("/vaultTrade", {
                  query: { apiKey, network, pool, from: sold, to: bought, amount, platform, slippage: "1" }
                })
              )
              assert.strictEqual(answer["venue"], "1inch")
              assert.lengthOf(answer["route"] as ReadonlyArray<string>, pools * 2 + 1)
              assert.deepStrictEqual([before[0] - (yield* from(sold)), (yield* from(bought)) - before[1]], [
                raw(answer["sold"]),
                raw(answer["bought"])
              ])
              assert.isTrue(raw(answer["bought"]) >= raw(answer["min_out"]))
            }
            assert.deepStrictEqual(yield* aggregators.seen, [], "no venue's API is called")
          })
        ))
    }

    it.effect("unguarded exchanges stay selectable and are refused by name: trades, approvals, revocations", () =>
      withLiveGuards(
        "polygon",
        Effect.gen(function*() {
          const network = "polygon"
          const { ask } = yield* Running
          const { apiKey, address, pool } = yield* trader({ network })
          const about = { apiKey, network, pool }
          const count = yield* OnChain.transactionCount(network, address)
          for (const platform of ["uniswapV3", "quickswap"]) {
            const answers = [
              yield* ask("/vaultTrade", { query: { ...about, from: "USDC", to: "WETH", amount: "1", platform } }),
              yield* ask("/approve", { json: { ...about, asset: "USDC", platform } }),
              yield* ask("/approve", { json: { ...about, asset: "USDC", platform, amount: 0 } })
            ]
            for (const { body, status, text } of answers) {
              assert.deepStrictEqual([status, body["status_code"]], [400, "2007"], text)
              assert.match(String(body["message"]), new RegExp(`${platform}.*Nothing was sent\\.`))
              assert.include(String(body["message"]), "The vault platform allows 1inch, kyberswap, odosV3 there.")
            }
          }
          assert.strictEqual(yield* OnChain.transactionCount(network, address), count)
        })
      ))

    it.effect("1inch's router is not used while the operator has banned unoswap, and the refusal says why", () =>
      withLiveGuards(
        "optimism",
        Effect.gen(function*() {
          const network = "optimism"
          const { ask } = yield* Running
          const { address, apiKey, pool } = yield* trader({ network })
          yield* Effect.addFinalizer(() => rows("delete from venue_bans"))
          yield* rows(
            "insert into venue_bans values ('optimism', 'unoswap', 'by its operator', now() + interval '1 year')"
          )
          const count = yield* OnChain.transactionCount(network, address)
          for (const platform of ["auto", "best", "1inch"]) {
            const { body, text } = yield* ask("/vaultTrade", {
              query: { apiKey, network, pool, from: "USDC", to: "WETH", amount: "1", platform }
            })
            assert.strictEqual(body["error_type"], "no_route", text)
            assert.match(String(body["message"]), /1inch.*not called until .*, because by its operator/)
          }
          assert.strictEqual(yield* OnChain.transactionCount(network, address), count)
        })
      ))

    it.effect("a revocation by name takes the allowance of that venue only", () =>
      Effect.gen(function*() {
        const network = "base"
        const { ask } = yield* Running
        const { file } = yield* Devnet
        const { apiKey, pool } = yield* trader({ network })
        const { aggregators, uniswapV3 } = file.networks[network]!
        const token = yield* OnChain.token(network, "DAI")
        const allowances = Effect.forEach(
          [aggregators["1inch"], aggregators.kyberswap, aggregators.odosV3, uniswapV3.router],
          (spender) =>
            Effect.map(
              OnChain.read(network, token, OnChain.tokenAbi, "allowance", [pool, spender]),
              (held) => held > 0n
            )
        )
        const approve = (platform: string, rest: Fields = {}) =>
          Effect.map(ask("/approve", { json: { apiKey, network, pool, asset: "DAI", platform, ...rest } }), succeeded)
        for (const venue of ["auto", "kyberswap", "odosV3", "uniswapV3"]) {
          yield* approve(venue)
        }
        assert.deepStrictEqual(yield* allowances, [true, true, true, true], "auto approves 1inch, which needs no key")
        yield* approve("odosV3", { amount: 0 })
        assert.deepStrictEqual(yield* allowances, [true, true, false, true])
        yield* approve("uniswapV3", { amount: 0 })
        assert.deepStrictEqual(yield* allowances, [true, true, false, false])
        for (const venue of ["1inch", "kyberswap"]) yield* approve(venue, { amount: 0 })
        assert.deepStrictEqual(yield* allowances, [false, false, false, false])
      }))

    it.effect("a key with limits trades too: the signer reads the call that was built", () =>
      Effect.gen(function*() {
        const network = "arbitrum"
        const { ask } = yield* Running
        const { address, apiKey, pool } = yield* trader({ network })
        yield* Effect.provide(
          Effect.flatMap(
            KeyLimitStore,
            (limits) => limits.change(address, () => KeyLimits.make({ ...none, maxUsd18PerTrade: 11n * 10n ** 18n }))
          ),
          KeyLimitStore.layer
        )
        const trade = (amount: string) =>
          ask("/vaultTrade", { query: { apiKey, network, pool, from: "USDC", to: "WETH", amount } })
        assert.strictEqual(succeeded(yield* trade("10"))["venue"], "1inch")
        assert.strictEqual((yield* trade("12")).body["error_type"], "limit_exceeded")
      }))
  }
)
