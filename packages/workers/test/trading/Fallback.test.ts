import { assert, layer } from "@effect/vitest"
import { NetworkBook, UniswapV3Book } from "@vault-trader/core/chain/NetworkConfig"
import { ApproveRequest, TradeRequest } from "@vault-trader/core/trading/Trading"
import type { Platform, VenueName } from "@vault-trader/core/venue/VenueName"
import type { Fault } from "@vault-trader/devnet/aggregator/AggregatorFault"
import { elsewhere } from "@vault-trader/devnet/aggregator/Order"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { maxUint256, zeroAddress } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { Approve } from "../../src/approval/Approve.ts"
import { Trade } from "../../src/trading/Trade.ts"
import { movedBy } from "../../src/platform/Transfers.ts"
import { defaultAccess } from "../../src/venue/AggregatorClient.ts"
import { venues } from "../../src/venue/VenueRegistry.ts"
import { refusal } from "../vault/TestVault.ts"
import { apiVenues, marketOn, patient, VenueDevnet } from "../venue/TestVenues.ts"

const network = "optimism"

const Passed = Schema.Array(Schema.Struct({ venue: Schema.String, reason: Schema.String }))
const Raw = Schema.Struct({ raw: Schema.BigIntFromString })
const Shown = Schema.Struct({ venue: Schema.String, passed_over: Passed, amountOut: Raw, minOut: Raw })
const Told = Schema.Struct({ venue: Schema.String, passed_over: Passed, sold: Raw, bought: Raw })

/** The chain as seen with another contract as the factory: no pool of Uniswap's is found, so 1inch needs its API. */
const withoutPools = (chain: ChainClient): ChainClient => {
  const { uniswapV3, ...book } = chain.book
  const factory = uniswapV3?.quoter ?? zeroAddress
  return {
    ...chain,
    book: NetworkBook.make({ ...book, uniswapV3: UniswapV3Book.make({ ...uniswapV3!, factory }) })
  }
}
const noPool = "no pool with liquidity connects the two assets"

/** A vault and a function that plans to trade 3,000 of its USDC for WETH. */
const trading = Effect.gen(function*() {
  const market = yield* marketOn(network)
  const plan = (platform: Platform = "auto", chain: ChainClient = market.chain, to = "WETH") =>
    Effect.gen(function*() {
      const request = TradeRequest.make({
        from: "USDC",
        to,
        slippage: 0.5,
        platform,
        amount: BigDecimal.fromStringUnsafe("3000")
      })
      const { calls, details } = yield* Trade.plan({ ...market.place, chain }, request)
      const preview = yield* Schema.decodeUnknownEffect(Shown)(Trade.describe(details))
      return {
        calls,
        details,
        venue: preview.venue,
        passed: preview.passed_over,
        amountOut: preview.amountOut.raw,
        minOut: preview.minOut.raw
      }
    })
  const names = (passed: typeof Passed.Type) => passed.map(({ venue }) => venue)
  return { ...market, plan, names, noPools: withoutPools(market.chain) }
})

/** Every fault of an aggregator, with the reason reported for it. */
const faults: ReadonlyArray<readonly [Fault, RegExp]> = [
  ["otherReceiver", /pays 0x0+bad00, not the vault/],
  ["otherRouter", /goes to 0x0+bad00, not to its router/],
  ["minOutOne", /accepts as little as 0\.0+1 WETH/],
  ["wrongToken", /buys 0x[0-9a-f]{40}, not WETH/],
  ["otherAmount", /sells 6000 USDC/],
  [
    "staleQuote",
    /^would revert \((ReturnAmountIsNotEnough\(\d+, \d+\)|Return amount is not enough|Slippage Limit Exceeded)\)(; without its API: .*)?$/
  ],
  ["serverError", /HTTP 500/],
  ["truncated", /is incomplete/],
  ["noRoute", /HTTP 400/],
  ["unauthorized", /HTTP 401/]
]

layer(VenueDevnet(network), { timeout: "4 minutes", excludeTestServices: true })(
  "a trade among several venues",
  (it) => {
    it.effect("uses the first venue of the network's fallback chain by default", () =>
      Effect.gen(function*() {
        const { plan } = yield* trading
        const { passed, venue } = yield* plan()
        assert.deepStrictEqual([venue, passed], ["1inch", []])
      }))

    for (const platform of [...apiVenues, "uniswapV3"] as const) {
      it.effect(`uses ${platform} when the caller names it, and the vault's balances match the receipt`, () =>
        Effect.gen(function*() {
          const { allowance, entry, execute, held, plan, pool, token } = yield* trading
          const before = { usdc: yield* held("USDC"), weth: yield* held("WETH") }
          const { amountOut, calls, details, minOut, passed, venue } = yield* plan(platform)
          assert.deepStrictEqual([venue, passed], [platform, []])
          const receipt = yield* execute(calls)
          const { bought, sold, ...rest } = yield* Schema.decodeUnknownEffect(Told)(
            (yield* Trade.interpretReceipt({ network, pool }, details, receipt)).result
          )
          assert.deepStrictEqual(rest, { venue: platform, passed_over: [] })
          assert.deepStrictEqual([sold.raw, bought.raw], [3_000_000_000n, amountOut])
          assert.isTrue(bought.raw >= minOut)
          assert.strictEqual(before.usdc - (yield* held("USDC")), sold.raw)
          assert.strictEqual((yield* held("WETH")) - before.weth, bought.raw)
          assert.deepStrictEqual(movedBy(receipt.logs, token("WETH").address, pool), { sent: 0n, received: bought.raw })
          const router = platform === "uniswapV3" ? entry.uniswapV3.router : entry.aggregators[platform]
          assert.strictEqual(yield* allowance("USDC", router), 0n)
        }))
    }

    it.effect("encodes its minimum in the call: the stricter of quote and oracle", () =>
      Effect.gen(function*() {
        const { plan, setPrice } = yield* trading
        for (const price of [3010, 2995]) {
          yield* setPrice("WETH", price)
          for (const platform of apiVenues) {
            const { calls, minOut } = yield* plan(platform)
            assert.isTrue((venues[platform].decode(calls.at(-1)?.data ?? "0x")?.minOut ?? 0n) >= minOut)
          }
        }
      }))

    for (const [fault, reasonPattern] of faults) {
      it.effect(`falls through to the next venue when one after the other has the fault "${fault}", and reports why`, () =>
        Effect.gen(function*() {
          const { aggregators, names, noPools, plan } = yield* trading
          yield* aggregators.inject({ aggregator: "1inch", fault })
          const second = yield* plan("auto", noPools)
          assert.deepStrictEqual([second.venue, names(second.passed)], ["kyberswap", ["1inch"]])
          yield* aggregators.inject({ aggregator: "kyberswap", fault })
          const third = yield* plan("auto", noPools)
          assert.deepStrictEqual([third.venue, names(third.passed)], ["odosV3", ["1inch", "kyberswap"]])
          yield* aggregators.inject({ aggregator: "odosV3", fault })
          const fourth = yield* plan("auto", noPools)
          assert.deepStrictEqual([fourth.venue, names(fourth.passed)], ["uniswapV3", ["1inch", "kyberswap", "odosV3"]])
          for (const { reason } of fourth.passed) assert.match(reason, reasonPattern)
          assert.match((yield* refusal(plan("odosV3"))).message, /^odosV3(: | cannot swap USDC for WETH )/)
        }))

      it.effect(`goes through 1inch's router without its API when the API has the fault "${fault}", and reports why`, () =>
        Effect.gen(function*() {
          const { aggregators, execute, held, plan, pool } = yield* trading
          yield* aggregators.forget
          yield* aggregators.inject({ aggregator: "1inch", fault })
          for (const platform of ["auto", "1inch"] as const) {
            const { amountOut, calls, passed, venue } = yield* plan(platform)
            assert.strictEqual(venue, "1inch")
            assert.deepStrictEqual(passed.map(({ venue }) => venue), ["1inch"])
            const reason = passed[0]?.reason ?? ""
            assert.match(reason, /; the swap goes through its router without its API$/)
            assert.match(reason.replace(/; the swap goes.*$/, ""), reasonPattern)
            const swap = venues["1inch"].decode(calls.at(-1)?.data ?? "0x")
            assert.deepStrictEqual([swap?.receiver, swap?.amountIn], [null, 3_000_000_000n])
            if (platform === "auto") continue
            const [stranger, before] = [yield* held("WETH", elsewhere), yield* held("WETH", pool)]
            yield* execute(calls)
            assert.strictEqual((yield* held("WETH", pool)) - before, amountOut)
            assert.strictEqual(yield* held("WETH", elsewhere), stranger)
          }
          assert.isTrue((yield* aggregators.seen).every(({ aggregator }) => aggregator === "1inch"))
        }))
    }

    it.effect("never goes through a venue the platform does not guard, whether named or not", () =>
      Effect.gen(function*() {
        const { aggregators, asOwner, entry, plan } = yield* trading
        yield* aggregators.forget
        for (const venue of apiVenues) yield* asOwner("setContractGuard", entry.aggregators[venue], zeroAddress)
        const { passed, venue } = yield* plan()
        assert.strictEqual(venue, "uniswapV3")
        for (const { reason } of passed) assert.strictEqual(reason, "not allowed by the vault platform on optimism")
        for (const platform of apiVenues) {
          const failure = yield* refusal(plan(platform))
          assert.deepStrictEqual([failure.errorType, failure.message], [
            "venue_not_allowed",
            `${platform} cannot swap USDC for WETH (not allowed by the vault platform on optimism), and no other ` +
            "venue is tried when one is named. Nothing was sent. The vault platform allows uniswapV3 there."
          ])
        }
        assert.deepStrictEqual(yield* aggregators.seen, [])
      }))

    it.effect("is refused when the named venue is not on the network", () =>
      Effect.gen(function*() {
        const failure = yield* refusal((yield* trading).plan("quickswap"))
        assert.strictEqual(failure.errorType, "venue_not_allowed")
        assert.match(
          failure.message,
          /^quickswap cannot swap USDC for WETH \(not available on optimism\), and no other venue is tried/
        )
      }))

    for (
      const [fault, errorType, saying] of [
        [
          "serverError",
          "no_route",
          /^1inch cannot swap USDC for WETH \(its API failed \(HTTP 500.*\), and no other venue is tried when one is named\. Nothing was sent\.$/
        ],
        ["otherReceiver", "no_route", /^1inch cannot swap USDC for WETH \(.*pays 0x0+bad00, not the vault/],
        ["staleQuote", "slippage_exceeded", /^1inch: .*Nothing was sent/]
      ] as const
    ) {
      it.effect(`is refused without trying another venue when the named one has the fault "${fault}"`, () =>
        Effect.gen(function*() {
          const { aggregators, noPools, plan } = yield* trading
          yield* aggregators.forget
          yield* aggregators.inject({ aggregator: "1inch", fault })
          const failure = yield* refusal(plan("1inch", noPools))
          assert.strictEqual(failure.errorType, errorType)
          assert.match(failure.message, saying)
          assert.isTrue(
            (yield* aggregators.seen).every(({ aggregator }) => aggregator === "1inch"),
            "no other venue is called"
          )
        }))
    }

    it.effect("that no venue can do is refused, naming each venue with its reason", () =>
      Effect.gen(function*() {
        const { aggregators, plan } = yield* trading
        yield* aggregators.inject({ aggregator: "1inch", fault: "serverError" })
        const failure = yield* refusal(plan("auto", undefined, "LINK"))
        assert.strictEqual(failure.errorType, "no_route")
        assert.match(
          failure.message,
          /^No venue can swap USDC for LINK \(1inch: its API failed \(HTTP 500: [ \w]+\); without its API: no pool with liquidity connects the two assets; kyberswap: its API refuses \(HTTP 400: route not found\); odosV3: its API refuses \(HTTP 400: No viable path\); uniswapV3: no pool with liquidity connects the two assets\)\. Nothing was sent\.$/
        )
      }))

    it.effect("makes no more node calls with an aggregator than with an on-chain quote", () =>
      Effect.gen(function*() {
        const { chain, plan } = yield* trading
        const calls = (platform: VenueName) =>
          Effect.gen(function*() {
            let count = 0
            const counting: ChainClient = {
              ...chain,
              readAll: (...request) => {
                count += 1
                return chain.readAll(...request)
              },
              readConfirmed: (...request) => {
                count += 1
                return chain.readConfirmed(...request)
              },
              estimateGas: (...request) => {
                count += 1
                return chain.estimateGas(...request)
              }
            }
            yield* plan(platform, counting)
            return count
          })
        assert.deepStrictEqual(yield* Effect.forEach([...apiVenues, "uniswapV3"] as const, calls), [2, 2, 2, 3])
      }))
  }
)

/** The chain as seen where Uniswap V3 is not deployed. */
const withoutUniswap = (chain: ChainClient): ChainClient => {
  const { uniswapV3: _, ...book } = chain.book
  return { ...chain, book: NetworkBook.make(book) }
}

/** Approves USDC for a venue; returns the venue and the spender. */
const approved = (platform: VenueName | "auto", onChain = (chain: ChainClient) => chain) =>
  Effect.gen(function*() {
    const { allowance, execute, place } = yield* marketOn(network)
    const context = { ...place, chain: onChain(place.chain) }
    const { calls, details } = yield* Approve.plan(context, ApproveRequest.make({ asset: "USDC", platform }))
    const { venue, spender } = yield* Schema.decodeUnknownEffect(
      Schema.Struct({ venue: Schema.String, spender: Schema.TemplateLiteral(["0x", Schema.String]) })
    )(details)
    yield* execute(calls)
    assert.strictEqual(yield* allowance("USDC", spender), maxUint256)
    return [venue, spender] as const
  })

layer(VenueDevnet(network), { timeout: "4 minutes", excludeTestServices: true })(
  "an approval among several venues",
  (it) => {
    it.effect("is for the named venue's router, or the first venue of the chain when none is named", () =>
      Effect.gen(function*() {
        const { entry } = yield* marketOn(network)
        for (const venue of apiVenues) {
          assert.deepStrictEqual(yield* Effect.scoped(approved(venue)), [venue, entry.aggregators[venue]])
        }
        assert.deepStrictEqual(yield* Effect.scoped(approved("uniswapV3")), ["uniswapV3", entry.uniswapV3.router])
        assert.deepStrictEqual(yield* Effect.scoped(approved("auto")), ["1inch", entry.aggregators["1inch"]])
      }))

    it.effect("is refused for a named venue that the platform does not guard, and no other is approved", () =>
      Effect.gen(function*() {
        const { allowance, asOwner, entry, place } = yield* marketOn(network)
        yield* asOwner("setContractGuard", entry.uniswapV3.router, zeroAddress)
        const failure = yield* refusal(
          Approve.plan(place, ApproveRequest.make({ asset: "USDC", platform: "uniswapV3" }))
        )
        assert.deepStrictEqual([failure.errorType, failure.message], [
          "venue_not_allowed",
          "The vault platform does not allow uniswapV3 on optimism, and no other venue is approved instead. Nothing was " +
          "sent. The vault platform allows 1inch, kyberswap, odosV3 there."
        ])
        for (const spender of [entry.uniswapV3.router, ...apiVenues.map((venue) => entry.aggregators[venue])]) {
          assert.strictEqual(yield* allowance("USDC", spender), 0n)
        }
        assert.strictEqual((yield* Effect.scoped(approved("auto")))[0], "1inch")
      }))

    it.effect("skips a venue that received too many requests, unless the caller names it", () =>
      Effect.gen(function*() {
        const { aggregators, plan } = yield* trading
        yield* aggregators.inject({ aggregator: "kyberswap", fault: "rateLimited", times: 1, retryAfter: 600 })
        yield* aggregators.inject({ aggregator: "1inch", fault: "rateLimited", times: 1, retryAfter: 600 })
        const limited = yield* refusal(plan("kyberswap"))
        assert.include(limited.message, "its API has received too many requests (HTTP 429: ")
        assert.match((yield* refusal(plan("kyberswap"))).message, /\(not called until /)
        const { passed, venue } = yield* plan()
        assert.deepStrictEqual([venue, passed], ["1inch", [{
          venue: "1inch",
          reason:
            "its API has received too many requests (HTTP 429: The limit of requests per second has been exceeded); " +
            "the swap goes through its router without its API"
        }]])
        assert.match((yield* plan()).passed[0]?.reason ?? "", /^not called until /)
        assert.strictEqual((yield* Effect.scoped(approved("auto")))[0], "1inch")
        assert.strictEqual((yield* Effect.scoped(approved("auto", withoutUniswap)))[0], "odosV3")
        assert.strictEqual((yield* Effect.scoped(approved("kyberswap")))[0], "kyberswap")
      }))
  }
)

layer(VenueDevnet(network, { ...defaultAccess, timeoutMillis: patient.timeoutMillis }), {
  timeout: "4 minutes",
  excludeTestServices: true
})("without keys", (it) => {
  it.effect("1inch goes through its router alone, in trades and in approvals, and says nothing of its API", () =>
    Effect.gen(function*() {
      const { aggregators, plan } = yield* trading
      yield* aggregators.forget
      const { passed, venue } = yield* plan()
      assert.deepStrictEqual([venue, passed], ["1inch", []])
      assert.deepStrictEqual([(yield* plan("1inch")).venue, yield* aggregators.seen], ["1inch", []])
      assert.strictEqual((yield* Effect.scoped(approved("auto")))[0], "1inch")
    }))

  it.effect("1inch's router is not used where the pools pay less than the vault's oracle allows", () =>
    Effect.gen(function*() {
      const { plan, setPrice } = yield* trading
      yield* setPrice("WETH", 2_900)
      const failure = yield* refusal(plan("1inch"))
      assert.strictEqual(failure.errorType, "slippage_exceeded")
      assert.match(
        failure.message,
        /^1inch pays 0\.\d+ WETH, but by the vault's oracle and 0\.5 % slippage it must be /
      )
      const all = yield* refusal(plan())
      assert.strictEqual(all.errorType, "slippage_exceeded")
      assert.match(all.message, /\(1inch: .*; kyberswap: pays .*; odosV3: no key .*; uniswapV3: pays /)
    }))

  it.effect("the venues that require one are skipped, in trades and in approvals", () =>
    Effect.gen(function*() {
      const { noPools, plan } = yield* trading
      const { passed, venue } = yield* plan("auto", noPools)
      const reason = "no key for its API is configured"
      assert.deepStrictEqual([venue, passed], ["kyberswap", [
        { venue: "1inch", reason: `${reason}; without its API: ${noPool}` }
      ]])
      assert.include(
        (yield* refusal(plan("odosV3"))).message,
        `odosV3 cannot swap USDC for WETH (${reason}), and no other venue is tried`
      )
      assert.strictEqual((yield* Effect.scoped(approved("auto", withoutUniswap)))[0], "kyberswap")
    }))
})

layer(VenueDevnet(network, { ...patient, timeoutMillis: 1_000 }), { timeout: "4 minutes", excludeTestServices: true })(
  "a venue that does not respond",
  (it) => {
    it.effect("is skipped after its timeout", () =>
      Effect.gen(function*() {
        const { aggregators, noPools, plan } = yield* trading
        for (const aggregator of apiVenues) yield* aggregators.inject({ aggregator, fault: "silence" })
        const silent = "its API gave no answer within 1 s"
        const { passed, venue } = yield* plan("auto", noPools)
        assert.strictEqual(venue, "uniswapV3")
        assert.deepStrictEqual(passed, [
          { venue: "1inch", reason: `${silent}; without its API: ${noPool}` },
          { venue: "kyberswap", reason: silent },
          { venue: "odosV3", reason: silent }
        ])
        const pools = yield* plan()
        assert.deepStrictEqual([pools.venue, pools.passed], ["1inch", [
          { venue: "1inch", reason: `${silent}; the swap goes through its router without its API` }
        ]])
      }))
  }
)
