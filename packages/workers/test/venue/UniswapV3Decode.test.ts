import { assert, it } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { Token } from "@vault-trader/core/chain/Token"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import { concatHex, encodeFunctionData } from "viem"
import { approval, swap } from "../../src/trading/TradeMovements.ts"
import { AggregatorClient } from "../../src/venue/AggregatorClient.ts"
import { UniswapV3 } from "../../src/venue/UniswapV3.ts"
import { clientOf } from "../chain/TestClient.ts"
import { routerAbi } from "../gas-wallet/LimitedLane.ts"
import { approval as approving } from "../vault/TestVault.ts"
import { noApis } from "./TestVenues.ts"

const vault: Address = "0x00000000000000000000000000000000000000dd"
const stranger: Address = "0x00000000000000000000000000000000000000cc"
const amounts = FastCheck.bigInt({ min: 1n, max: 2n ** 256n - 1n })

/** Builds a call's calldata; these venues need no request for it. */
const built = <A, E>(effect: Effect.Effect<A, E>) => Effect.runSync(effect)

const market = Effect.gen(function*() {
  const chain = yield* TestChain.make({ network: "optimism", seed: 1 })
  const client = yield* clientOf(chain)
  const token = (symbol: string) =>
    Token.make({
      symbol,
      address: chain.token(symbol),
      decimals: client.book.tokens.find((each) => each.symbol === symbol)?.decimals ?? 18
    })
  return { client, token, router: chain.deployed.uniswapV3.router }
})

it.effect("decode inverts every call that quote builds, over one pool and over two", () =>
  Effect.gen(function*() {
    const { client, router, token } = yield* market
    for (
      const [from, to, hops] of [["USDC", "WETH", 1], ["WETH", "USDC", 1], ["WBTC", "WETH", 2], [
        "DAI",
        "WETH",
        2
      ]] as const
    ) {
      const request = {
        chain: client,
        tokenIn: token(from),
        tokenOut: token(to),
        amountIn: 10n ** BigInt(token(from).decimals),
        vault,
        wallet: vault,
        slippage: 1
      }
      const { build, route } = yield* Effect.provideService(UniswapV3.quote(request), AggregatorClient, noApis)
      assert.strictEqual(route.length, hops * 2 + 1)
      FastCheck.assert(
        FastCheck.property(amounts, FastCheck.bigInt({ min: 0n, max: 2n ** 64n }), (minOut, deadline) => {
          const data = built(build(minOut, deadline))
          assert.deepStrictEqual(UniswapV3.decode(data), {
            tokenIn: request.tokenIn.address,
            amountIn: request.amountIn,
            tokenOut: request.tokenOut.address,
            minOut,
            receiver: vault
          })
          assert.deepStrictEqual(swap(client, { to: router, data }), {
            gives: [{ token: request.tokenIn.address, amount: request.amountIn }],
            receiver: vault
          })
          assert.isUndefined(swap(client, { to: stranger, data }))
        }),
        { numRuns: 20 }
      )
    }
  }))

it("decode rejects bytes that are not a call of the router", () => {
  const anything = FastCheck.uint8Array({ maxLength: 400 }).map((bytes): Hex =>
    `0x${Buffer.from(bytes).toString("hex")}`
  )
  FastCheck.assert(FastCheck.property(anything, (data) => UniswapV3.decode(data) === undefined))
  FastCheck.assert(
    FastCheck.property(
      anything,
      (data) =>
        UniswapV3.decode(encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [1n, [data]] })) ===
          undefined
    )
  )
})

it.effect("an approval movement is an approval for a venue of the network, and nothing else", () =>
  Effect.gen(function*() {
    const { client, router, token } = yield* market
    const to = token("USDC").address
    FastCheck.assert(FastCheck.property(amounts, (amount) => {
      assert.deepStrictEqual(approval(client, { to, data: approving(router, amount) }), { gives: [], receiver: null })
      assert.isUndefined(approval(client, { to, data: approving(stranger, amount) }))
      assert.isUndefined(approval(client, { to, data: concatHex([approving(router, amount), "0x00"]) }))
    }))
  }))
