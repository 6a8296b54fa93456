import { assert, layer } from "@effect/vitest"
import type { Fault } from "@vault-trader/devnet/aggregator/AggregatorFault"
import type { Hex } from "@vault-trader/core/chain/Address"
import { elsewhere } from "@vault-trader/devnet/aggregator/Order"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { swap as movement } from "../../src/trading/TradeMovements.ts"
import { AggregatorClient } from "../../src/venue/AggregatorClient.ts"
import { venues } from "../../src/venue/VenueRegistry.ts"
import { approval } from "../vault/TestVault.ts"
import { apiVenues, late, marketOn, noApis, patient, reason, VenueDevnet } from "./TestVenues.ts"

const network = "optimism"
const dollars = 1_000_000n

/** Each false response, with the reason it is refused for. */
const lies: ReadonlyArray<readonly [fault: Fault, expected: RegExp]> = [
  ["otherReceiver", new RegExp(`^its API returns a transaction that pays ${elsewhere}, not the vault$`)],
  ["otherRouter", new RegExp(`^its API returns a transaction that goes to ${elsewhere}, not to its router$`)],
  ["minOutOne", /^its API returns a transaction that accepts as little as 0\.000000000000000001 WETH$/],
  ["otherAmount", /^its API returns a transaction that sells 6000 USDC, which is not the amount$/],
  ["wrongToken", /^its API returns a transaction that buys 0x[0-9a-f]{40}, not WETH$/]
]

layer(VenueDevnet(network), { timeout: "4 minutes", excludeTestServices: true })("an aggregator", (it) => {
  for (const venue of apiVenues) {
    for (
      const [from, to, amountIn] of [["USDC", "WETH", 5_000n * dollars], ["WETH", "USDC", 10n ** 18n], [
        "USDC",
        "WBTC",
        1_000n * dollars
      ]] as const
    ) {
      it.effect(`${venue} pays the vault exactly the quoted amount for ${from} sold for ${to}, and takes only the sold amount`, () =>
        Effect.gen(function*() {
          const { entry, quote, swapAsQuoted, token } = yield* marketOn(network)
          const found = yield* quote(venue, from, to, amountIn)
          assert.strictEqual(found.router, entry.aggregators[venue])
          assert.deepStrictEqual(found.route, [token(from).symbol, token(to).symbol])
          yield* swapAsQuoted(found, from, to, amountIn)
        }))
    }

    it.effect(`${venue}'s call decodes to the requested swap, with the stricter of the two minimums`, () =>
      Effect.gen(function*() {
        const { chain, pool, quote, token } = yield* marketOn(network)
        const amountIn = 3_000n * dollars
        const found = yield* quote(venue, "USDC", "WETH", amountIn, 0.5)
        const own = found.amountOut * 995n / 1000n
        for (
          const [requested, minOut] of [[found.amountOut, found.amountOut], [own + 1n, own + 1n], [own - 1n, own], [
            1n,
            own
          ]] as const
        ) {
          const data = yield* found.build(requested, late)
          const swap = venues[venue].decode(data)
          assert.deepStrictEqual(swap, {
            tokenIn: token("USDC").address,
            amountIn,
            tokenOut: token("WETH").address,
            minOut,
            receiver: pool
          })
          assert.deepStrictEqual(movement(chain, { to: found.router, data }), {
            gives: [{ token: token("USDC").address, amount: amountIn }],
            receiver: pool
          })
        }
      }))

    it.effect(`${venue}'s call is accepted whatever exchanges it goes through: only its own terms are checked`, () =>
      Effect.gen(function*() {
        const { chain, entry, quote } = yield* marketOn(network)
        const found = yield* quote(venue, "USDC", "WETH", 3_000n * dollars)
        const data = yield* found.build(1n, late)
        const { executor } = entry.aggregators
        // Another executor is how an API's route through Velodrome's or Aerodrome's pools differs.
        const other = data.replaceAll(executor.slice(2), elsewhere.slice(2)) as Hex
        assert.notStrictEqual(other, data)
        assert.deepStrictEqual(venues[venue].decode(other), venues[venue].decode(data))
        assert.deepStrictEqual(
          movement(chain, { to: found.router, data: other }),
          movement(chain, { to: found.router, data })
        )
      }))

    for (const [fault, expected] of lies) {
      it.effect(`${venue} that lies (${fault}) is refused before anything is signed`, () =>
        Effect.gen(function*() {
          const { aggregators, quote } = yield* marketOn(network)
          yield* aggregators.inject({ aggregator: venue, fault })
          const found = yield* quote(venue, "USDC", "WETH", 3_000n * dollars)
          assert.match(yield* reason(found.build(found.amountOut * 995n / 1000n, late)), expected)
          yield* aggregators.heal
          yield* (yield* quote(venue, "USDC", "WETH", 3_000n * dollars)).build(1n, late)
        }))
    }

    it.effect(`${venue}'s quote at an outdated price becomes a call that its router refuses`, () =>
      Effect.gen(function*() {
        const { aggregators, quote, simulate, token } = yield* marketOn(network)
        yield* aggregators.inject({ aggregator: venue, fault: "staleQuote" })
        const amountIn = 3_000n * dollars
        const { amountOut, build, router } = yield* quote(venue, "USDC", "WETH", amountIn)
        const data = yield* build(amountOut * 995n / 1000n, late)
        const approve = { to: token("USDC").address, data: approval(router, amountIn) }
        const failure = yield* simulate([approve, { to: router, data }])
        assert.strictEqual(failure?.errorType, "slippage_exceeded")
      }))

    for (
      const [fault, expected] of [
        ["serverError", /^its API failed \(HTTP 500: [ \w]+\)$/],
        ["truncated", /^its API's response is incomplete$/],
        ["noRoute", /^its API refuses \(HTTP 400: (insufficient liquidity|route not found|No viable path)\)$/],
        ["unauthorized", /^its API denies access \(HTTP 401: [ \w]+\)$/]
      ] as const satisfies ReadonlyArray<readonly [Fault, RegExp]>
    ) {
      it.effect(`${venue} that fails (${fault}) gives no quote, with a readable reason, and can be queried again at once`, () =>
        Effect.gen(function*() {
          const { aggregators, quote } = yield* marketOn(network)
          yield* aggregators.inject({ aggregator: venue, fault })
          assert.match(yield* reason(quote(venue, "USDC", "WETH", 3_000n * dollars)), expected)
          yield* aggregators.heal
          yield* quote(venue, "USDC", "WETH", 3_000n * dollars)
        }))
    }

    if (venue !== "1inch") {
      it.effect(`${venue} that fails between quote and calldata gives no quote either`, () =>
        Effect.gen(function*() {
          const { aggregators, quote } = yield* marketOn(network)
          const found = yield* quote(venue, "USDC", "WETH", 3_000n * dollars)
          yield* aggregators.inject({ aggregator: venue, fault: "serverError" })
          assert.match(yield* reason(found.build(1n, late)), /HTTP 500/)
        }))
    }
  }

  for (
    const [what, from, to, amountIn] of [["one pool", "USDC", "WETH", 3_000n * dollars], [
      "two pools",
      "USDC",
      "WBTC",
      3_000n * dollars
    ]] as const
  ) {
    it.effect(`1inch's unoswap calls through ${what} are decoded, held to our minimum, and executed`, () =>
      Effect.gen(function*() {
        const { aggregators, chain, held, quote, swap, token } = yield* marketOn(network)
        yield* aggregators.inject({ aggregator: "1inch", fault: "unoswap" })
        const before = yield* held(to)
        const found = yield* quote("1inch", from, to, amountIn)
        const data = yield* found.build(found.amountOut, late)
        assert.deepStrictEqual(venues["1inch"].decode(data), {
          tokenIn: token(from).address,
          amountIn,
          tokenOut: null,
          minOut: found.amountOut,
          receiver: null
        })
        assert.deepStrictEqual(movement(chain, { to: found.router, data }), {
          gives: [{ token: token(from).address, amount: amountIn }],
          receiver: null
        })
        yield* swap(found, from, to, amountIn)
        assert.strictEqual((yield* held(to)) - before, found.amountOut)
      }))
  }

  it.effect("1inch's unoswap through the pools of another pair, or in the wrong direction, is refused", () =>
    Effect.gen(function*() {
      const { aggregators, quote, request, token } = yield* marketOn(network)
      yield* aggregators.inject({ aggregator: "1inch", fault: "unoswap" })
      const amountIn = 3_000n * dollars
      const { amountOut, build, router } = yield* quote("1inch", "USDC", "WETH", amountIn)
      const data = yield* build(amountOut, late)
      /** Returns the refusal's reason when 1inch returns these bytes. */
      const answering = (bytes: Hex, to: string) =>
        venues["1inch"].quote(request("USDC", to, amountIn)).pipe(
          Effect.provideService(AggregatorClient, {
            ...noApis,
            open: () =>
              Effect.succeed((answer) =>
                Effect.orDie(
                  Schema.decodeUnknownEffect(answer)({ dstAmount: "1", tx: { to: router, data: bytes, value: "0" } })
                )
              )
          }),
          Effect.flatMap((found) => found.build(1n, late)),
          reason
        )
      assert.strictEqual(
        yield* answering(data, "WBTC"),
        `its API returns a transaction that buys ${token("WETH").address}, not WBTC`
      )
      const leg = BigInt(`0x${data.slice(-64)}`)
      const turned: Hex = `${data.slice(0, -64)}${(leg ^ 1n << 247n).toString(16).padStart(64, "0")}` as Hex
      assert.strictEqual(
        yield* answering(turned, "WETH"),
        "its API returns a transaction that buys something else, not WETH"
      )
      const unwrapping = `${data.slice(0, -64)}${(leg | 1n << 252n).toString(16).padStart(64, "0")}` as Hex
      assert.strictEqual(yield* answering(unwrapping, "WETH"), "its API returns a transaction that is not a plain swap")
    }))
})

layer(VenueDevnet(network, { ...patient, timeoutMillis: 300 }), { timeout: "4 minutes", excludeTestServices: true })(
  "an aggregator that does not respond",
  (it) => {
    for (const venue of apiVenues) {
      it.effect(`(${venue}) is waited for up to the limit`, () =>
        Effect.gen(function*() {
          const { aggregators, quote } = yield* marketOn(network)
          yield* aggregators.inject({ aggregator: venue, fault: "silence" })
          assert.strictEqual(
            yield* reason(quote(venue, "USDC", "WETH", 3_000n * dollars)),
            "its API gave no answer within 0.3 s"
          )
        }))
    }
  }
)

layer(VenueDevnet(network), { timeout: "4 minutes", excludeTestServices: true })(
  "an aggregator that receives too many requests",
  (it) => {
    for (const venue of apiVenues) {
      it.effect(`(${venue}) receives no more of them for a while`, () =>
        Effect.gen(function*() {
          const { aggregators, quote } = yield* marketOn(network)
          yield* aggregators.inject({ aggregator: venue, fault: "rateLimited", times: 1 })
          const quotaReason = yield* reason(quote(venue, "USDC", "WETH", 3_000n * dollars))
          assert.match(quotaReason, /^its API has received too many requests \(HTTP 429: [ \w]+\)$/)
          yield* aggregators.forget
          assert.strictEqual(
            yield* reason(quote(venue, "USDC", "WETH", 3_000n * dollars)),
            `not called until tomorrow, because ${quotaReason}`
          )
          assert.deepStrictEqual(yield* aggregators.seen, [])
        }))
    }
  }
)
