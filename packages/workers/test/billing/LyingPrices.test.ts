/** Prices of charges on a network one of whose endpoints lies about them. */
import { assert, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { usdOf } from "@vault-trader/core/billing/PriceList"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Prices } from "../../src/billing/Prices.ts"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { Chains } from "../../src/chain/Chains.ts"
import { assertOutvoted, decisionsUnder, networkOf, rewording } from "../chain/LyingEndpoint.ts"

const network = "base"
const wallet: Address = "0x00000000000000000000000000000000000000aa"

/** Prices that have read nothing yet. */
const pricesOver = (chain: ChainClient) =>
  Effect.provide(Prices, Layer.provide(Prices.layer, Chains.layerOf(new Map([[network, chain]]))), { local: true })

const charged = (chain: ChainClient) =>
  Effect.flatMap(pricesOver(chain), ({ charge }) => charge(network, "trade", wallet))

/** A network with the platform's oracle as the only source, and the lie that a native token is worth ten times its price. */
const underpricing = Effect.map(TestChain.make({ network }), (chain) => ({
  chain,
  honest: networkOf(chain, { uniswapV3: undefined }),
  lie: rewording({ of: "getAssetPrice(address)", about: chain.token("WETH") }, ([price]) => [10n * price!])
}))

it.effect("converts no charge at a price that one endpoint alone names", () =>
  Effect.gen(function*() {
    const { honest, lie } = yield* underpricing
    const { contradicted, truth } = yield* decisionsUnder(honest, lie, charged)
    const { nativePriceUsd18, nativeWei } = Result.getOrThrow(truth)
    assert.strictEqual(nativePriceUsd18, 3000n * 10n ** 18n)
    assert.strictEqual(nativeWei, BigInt(Math.round(usdOf("trade") * 1e6)) * 10n ** 12n / 3000n)
    // The charge is neither free nor at the false price: its settlement converts it.
    assert.deepInclude(Result.getOrThrow(contradicted), {
      usd: usdOf("trade"),
      nativeWei: null,
      nativePriceUsd18: null,
      priceSource: null
    })
  }))

it.effect("shows no reading of a token that one endpoint alone gives", () =>
  Effect.gen(function*() {
    const { chain, honest, lie } = yield* underpricing
    const weth = { address: chain.token("WETH"), symbol: "WETH", decimals: 18 }
    const prices = yield* assertOutvoted(honest, lie, (client) =>
      Effect.map(
        Effect.flatMap(pricesOver(client), ({ readings }) => readings(network, weth)),
        ({ readings }) => readings.map(({ source, usd18 }) => ({ source, usd18 }))
      ))
    assert.deepStrictEqual(Result.getOrThrow(prices), [{ source: "platform-oracle", usd18: 3000n * 10n ** 18n }])
  }))
