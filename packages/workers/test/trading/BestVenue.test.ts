import { assert, layer } from "@effect/vitest"
import { NetworkBook, UniswapV3Book } from "@vault-trader/core/chain/NetworkConfig"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import type { Platform } from "@vault-trader/core/venue/VenueName"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { toFunctionSelector, zeroAddress } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import { Trade } from "../../src/trading/Trade.ts"
import { defaultAccess } from "../../src/venue/AggregatorClient.ts"
import { refusal } from "../vault/TestVault.ts"
import { apiVenues, marketOn, patient, VenueDevnet } from "../venue/TestVenues.ts"

const network = "optimism"
const quotePath = toFunctionSelector("quoteExactInput(bytes,uint256)")

const Plan = Schema.Struct({
  venue: Schema.String,
  route: Schema.Array(Schema.String),
  passed_over: Schema.Array(Schema.Struct({ venue: Schema.String, reason: Schema.String })),
  amountOut: Schema.Struct({ raw: Schema.BigIntFromString, amount: Schema.String }),
  minOut: Schema.Struct({ raw: Schema.BigIntFromString })
})

/** A vault with DAI, and a function that plans to trade 10,000 DAI for WETH. */
const trading = Effect.gen(function*() {
  const market = yield* marketOn(network)
  const { chain, devnet, pool } = market
  yield* devnet.mintToken({ network, symbol: "DAI", address: pool, amount: 10n ** 23n })
  const { tokens: _, ...book } = chain.book
  return {
    ...market,
    /** The chain without a list of tokens: only the pair's own pools are found, which pay less than a path over USDC. */
    direct: { ...chain, book: NetworkBook.make({ ...book, tokens: [] }) },
    plan: (platform: Platform, on: ChainClient = chain, slippage = 2) =>
      Effect.gen(function*() {
        const amount = BigDecimal.fromStringUnsafe("10000")
        const [from, to] = [market.token("DAI").address, market.token("WETH").address]
        const request = TradeRequest.make({ from, to, slippage, platform, amount })
        const { calls, details } = yield* Trade.plan({ ...market.place, chain: on }, request)
        return { calls, details, ...(yield* Schema.decodeUnknownEffect(Plan)(Trade.describe(details))) }
      })
  }
})

/** A node that never answers the reads of Uniswap's quoter. */
const hanging = (chain: ChainClient): ChainClient => ({
  ...chain,
  readAll: (...request) =>
    request[0].some(({ data }) => data.startsWith(quotePath)) ? Effect.never : chain.readAll(...request)
})

layer(VenueDevnet(network), { timeout: "4 minutes", excludeTestServices: true })("platform=best", (it) => {
  it.effect("takes the largest output, whatever the order of the chain, and says what the others quote", () =>
    Effect.gen(function*() {
      const { aggregators, direct, execute, held, plan } = yield* trading
      yield* aggregators.inject({ aggregator: "1inch", fault: "serverError" })
      const first = yield* plan("auto", direct)
      assert.deepStrictEqual([first.venue, first.route], ["1inch", ["DAI", "3000", "WETH"]])
      const best = yield* plan("best", direct)
      assert.strictEqual(best.venue, "kyberswap")
      assert.isTrue(best.amountOut.raw > first.amountOut.raw)
      const worse = `quotes ${first.amountOut.amount} WETH, no more than kyberswap`
      assert.deepStrictEqual(best.passed_over.map(({ venue }) => venue), ["1inch", "1inch", "odosV3", "uniswapV3"])
      assert.match(best.passed_over[0]?.reason ?? "", /^its API failed \(HTTP 500/)
      assert.deepStrictEqual(best.passed_over.slice(1), [
        { venue: "1inch", reason: worse },
        { venue: "odosV3", reason: `quotes ${best.amountOut.amount} WETH, no more than kyberswap` },
        { venue: "uniswapV3", reason: worse }
      ])
      const before = yield* held("WETH")
      yield* execute(best.calls)
      assert.strictEqual((yield* held("WETH")) - before, best.amountOut.raw)
    }))

  it.effect("asks every venue once, all before one of them is chosen", () =>
    Effect.gen(function*() {
      const { aggregators, plan } = yield* trading
      yield* aggregators.forget
      const { passed_over, venue } = yield* plan("best")
      assert.strictEqual(venue, "1inch", "the first of the chain among equals")
      assert.deepStrictEqual(passed_over.map(({ venue }) => venue), ["kyberswap", "odosV3", "uniswapV3"])
      assert.deepStrictEqual((yield* aggregators.seen).map(({ aggregator }) => aggregator).toSorted(), [...apiVenues])
    }))

  it.effect("leaves out a venue that quotes more than it pays, and one that would pay another address", () =>
    Effect.gen(function*() {
      const { aggregators, direct, held, execute, plan } = yield* trading
      yield* aggregators.inject({ aggregator: "kyberswap", fault: "staleQuote" })
      yield* aggregators.inject({ aggregator: "1inch", fault: "otherReceiver" })
      const { calls, passed_over, venue } = yield* plan("best", direct)
      assert.strictEqual(venue, "odosV3")
      assert.deepStrictEqual(passed_over.map(({ venue }) => venue), ["1inch", "1inch", "kyberswap", "uniswapV3"])
      assert.match(passed_over[0]?.reason ?? "", /pays 0x0+bad00, not the vault/)
      assert.match(passed_over[2]?.reason ?? "", /^would revert \(Return amount is not enough\)$/)
      const before = yield* held("WETH")
      yield* execute(calls)
      assert.isTrue((yield* held("WETH")) > before)
    }))

  it.effect("holds the winner to the oracle's price and to its own quote", () =>
    Effect.gen(function*() {
      const { plan, setPrice } = yield* trading
      const { amountOut, minOut } = yield* plan("best", undefined, 0.5)
      assert.isTrue(minOut.raw * 1000n >= amountOut.raw * 995n)
      yield* setPrice("WETH", 2_500)
      const failure = yield* refusal(plan("best", undefined, 0.5))
      assert.strictEqual(failure.errorType, "slippage_exceeded")
      for (const venue of ["1inch", "kyberswap", "odosV3", "uniswapV3"]) {
        assert.include(failure.message, `${venue}: pays `)
      }
    }))

  it.effect("never goes through a venue that the platform does not guard, nor calls its API", () =>
    Effect.gen(function*() {
      const { aggregators, asOwner, entry, plan } = yield* trading
      yield* aggregators.forget
      for (const venue of ["1inch", "odosV3"] as const) {
        yield* asOwner("setContractGuard", entry.aggregators[venue], zeroAddress)
      }
      yield* asOwner("setContractGuard", entry.uniswapV3.router, zeroAddress)
      const { passed_over, venue } = yield* plan("best")
      assert.strictEqual(venue, "kyberswap")
      const reason = "not allowed by the vault platform on optimism"
      assert.deepStrictEqual(passed_over, ["1inch", "odosV3", "uniswapV3"].map((venue) => ({ venue, reason })))
      assert.isTrue((yield* aggregators.seen).every(({ aggregator }) => aggregator === "kyberswap"))
      yield* asOwner("setContractGuard", entry.aggregators.kyberswap, zeroAddress)
      assert.strictEqual((yield* refusal(plan("best"))).errorType, "venue_not_allowed")
    }))

  it.effect("names every venue when none can do it, and is 2020 when no node answers", () =>
    Effect.gen(function*() {
      const { aggregators, chain, plan } = yield* trading
      for (const aggregator of apiVenues) yield* aggregators.inject({ aggregator, fault: "noRoute" })
      const broken: ChainClient = {
        ...chain,
        book: NetworkBook.make({
          ...chain.book,
          uniswapV3: UniswapV3Book.make({ ...chain.book.uniswapV3!, quoter: chain.book.platformFactory })
        })
      }
      const failure = yield* refusal(plan("best", broken))
      assert.strictEqual(failure.errorType, "no_route")
      for (const venue of ["1inch", "kyberswap", "odosV3", "uniswapV3"]) assert.include(failure.message, `${venue}: `)
      const silent: ChainClient = {
        ...chain,
        readAll: (...request) =>
          request[0].some(({ data }) => data.startsWith(quotePath))
            ? new RpcUnavailable({ network, reason: "no answer" })
            : chain.readAll(...request)
      }
      assert.strictEqual((yield* refusal(plan("best", silent))).errorType, "rpc_unavailable")
    }))
})

// The limit holds for the quotes on the chain too, which must be there in time.
layer(VenueDevnet(network, { ...patient, timeoutMillis: 5_000 }), { timeout: "4 minutes", excludeTestServices: true })(
  "platform=best with a peer that hangs",
  (it) => {
    it.effect("leaves out the APIs that hang, and names them", () =>
      Effect.gen(function*() {
        const { aggregators, plan } = yield* trading
        for (const aggregator of ["1inch", "odosV3"] as const) {
          yield* aggregators.inject({ aggregator, fault: "silence" })
        }
        const { passed_over, venue } = yield* plan("best")
        assert.strictEqual(venue, "1inch", "its router without its API is the first of equals")
        const silent = passed_over.filter(({ reason }) => /gave no (answer|quote) within 5 s$/.test(reason))
        assert.deepStrictEqual(silent.map(({ venue }) => venue), ["1inch", "odosV3"])
      }))

    it.effect("leaves out what quotes on a node that hangs, and names it", () =>
      Effect.gen(function*() {
        const { chain, plan } = yield* trading
        const { passed_over, venue } = yield* plan("best", hanging(chain))
        assert.strictEqual(venue, "1inch")
        assert.deepInclude(passed_over, { venue: "uniswapV3", reason: "gave no quote within 5 s" })
      }))
  }
)

layer(VenueDevnet(network, { ...defaultAccess, timeoutMillis: patient.timeoutMillis }), {
  timeout: "4 minutes",
  excludeTestServices: true
})("platform=best without keys", (it) => {
  it.effect("compares what needs none", () =>
    Effect.gen(function*() {
      const { aggregators, direct, plan } = yield* trading
      yield* aggregators.forget
      const { passed_over, venue } = yield* plan("best", direct)
      assert.strictEqual(venue, "kyberswap")
      assert.deepStrictEqual(passed_over.map(({ venue }) => venue), ["1inch", "odosV3", "uniswapV3"])
      assert.match(passed_over[0]?.reason ?? "", /^quotes .* WETH, no more than kyberswap$/)
      assert.strictEqual(passed_over[1]?.reason, "no key for its API is configured")
      assert.isTrue((yield* aggregators.seen).every(({ aggregator }) => aggregator === "kyberswap"))
    }))
})
