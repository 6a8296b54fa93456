import { assert, layer } from "@effect/vitest"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import { swap as movement } from "../../src/trading/TradeMovements.ts"
import { Quickswap } from "../../src/venue/Quickswap.ts"
import { approval } from "../vault/TestVault.ts"
import { late, marketOn, reason, VenueDevnet } from "./TestVenues.ts"

const network = "polygon"
const dollars = 1_000_000n

/** Builds a call's calldata; these venues need no request for it. */
const built = <A, E>(effect: Effect.Effect<A, E>) => Effect.runSync(effect)

layer(VenueDevnet(network), { timeout: "4 minutes", excludeTestServices: true })("QuickSwap", (it) => {
  for (
    const [from, to, amountIn, route] of [
      ["USDC", "WETH", 5_000n * dollars, ["USDC", "WETH"]],
      ["WETH", "USDC", 10n ** 18n, ["WETH", "USDC"]],
      ["WBTC", "DAI", 10n ** 7n, ["WBTC", "USDC", "DAI"]]
    ] as const
  ) {
    it.effect(`pays the vault exactly the quoted amount for ${from} sold for ${to}, and takes only the sold amount`, () =>
      Effect.gen(function*() {
        const { devnet, entry, pool, quote, swapAsQuoted } = yield* marketOn(network)
        if (from === "WBTC") yield* devnet.mintToken({ network, symbol: from, address: pool, amount: amountIn })
        const found = yield* quote("quickswap", from, to, amountIn)
        assert.strictEqual(found.router, entry.quickswap?.router)
        assert.deepStrictEqual(found.route, route)
        yield* swapAsQuoted(found, from, to, amountIn)
      }))
  }

  it.effect("decodes its own calls to the requested swap, over one pool and over two", () =>
    Effect.gen(function*() {
      const { chain, pool, request, stranger } = yield* marketOn(network)
      for (const [from, to, amountIn] of [["USDC", "WETH", 10n ** 9n], ["DAI", "WBTC", 10n ** 21n]] as const) {
        const quoteRequest = request(from, to, amountIn)
        const { build, router } = yield* Quickswap.quote(quoteRequest)
        const amounts = FastCheck.bigInt({ min: 1n, max: 2n ** 256n - 1n })
        FastCheck.assert(
          FastCheck.property(amounts, amounts, (minOut, deadline) => {
            const data = built(build(minOut, deadline))
            assert.deepStrictEqual(Quickswap.decode(data), {
              tokenIn: quoteRequest.tokenIn.address,
              amountIn: quoteRequest.amountIn,
              tokenOut: quoteRequest.tokenOut.address,
              minOut,
              receiver: pool
            })
            assert.deepStrictEqual(movement(chain, { to: router, data }), {
              gives: [{ token: quoteRequest.tokenIn.address, amount: quoteRequest.amountIn }],
              receiver: pool
            })
            assert.isUndefined(movement(chain, { to: stranger, data }))
          }),
          { numRuns: 20 }
        )
      }
    }))

  it.effect("does not execute below the minimum, nor after the deadline", () =>
    Effect.gen(function*() {
      const { quote, simulate, token } = yield* marketOn(network)
      const amountIn = 1_000n * dollars
      const { amountOut, build, router } = yield* quote("quickswap", "USDC", "WETH", amountIn)
      const approve = { to: token("USDC").address, data: approval(router, amountIn) }
      const swapAt = (minOut: bigint, deadline: bigint) =>
        Effect.flatMap(build(minOut, deadline), (data) => simulate([approve, { to: router, data }]))
      assert.isUndefined(yield* swapAt(amountOut, late))
      assert.strictEqual((yield* swapAt(amountOut + 1n, late))?.errorType, "slippage_exceeded")
      assert.include((yield* swapAt(amountOut, 1n))?.message, "Transaction too old")
    }))

  it.effect("has no quote without a pool, for an amount that buys nothing, and on networks without it", () =>
    Effect.gen(function*() {
      const { book, chain, quote, request } = yield* marketOn(network)
      assert.strictEqual(
        yield* reason(quote("quickswap", "LINK", "USDC", 10n ** 18n)),
        "no pool with liquidity connects the two assets"
      )
      assert.strictEqual(
        yield* reason(quote("quickswap", "USDC", "WBTC", 1n)),
        "the amount is too small to buy anything"
      )
      const { quickswap: _, ...rest } = book
      const elsewhere = { ...chain, book: NetworkBook.make(rest) }
      assert.strictEqual(
        yield* reason(Quickswap.quote({ ...request("USDC", "WETH", dollars), chain: elsewhere })),
        "not deployed on this network"
      )
      assert.isUndefined(Quickswap.router(elsewhere))
    }))
})
