import { assert, layer } from "@effect/vitest"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { usdOf } from "@vault-trader/core/billing/PriceList"
import type { Charge } from "@vault-trader/core/endpoint/Endpoint"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import { Prices } from "../../src/billing/Prices.ts"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { Chains } from "../../src/chain/Chains.ts"
import { RpcUnavailable } from "../../src/chain/RpcFailure.ts"

const networks = ["optimism", "polygon"] as const

const TestDevnet = Layer.unwrapEffect(Effect.map(Devnet, ({ books }) =>
  Prices.layer.pipe(Layer.provideMerge(Chains.layer(books)), Layer.provide(FetchHttpClient.layer))
)).pipe(Layer.provideMerge(Devnet.layer({ networks, heartbeat: false })))

const paid: ReadonlyArray<Exclude<Charge, "free">> = ["trade", "approve", "lend", "liquidity", "managerFee", "exchangeTrade"]

/** Prices over a client that is the network's, changed. */
const over = (change: (chain: ChainClient) => ChainClient) =>
  Prices.layer.pipe(Layer.provide(Layer.effect(Chains, Effect.map(Chains, (chains) => ({
    ...chains,
    get: (network) => Effect.map(chains.get(network), change)
  })))))

/** Prices that have read nothing yet. */
const unread = Effect.provide(Prices, over((chain) => chain))

layer(TestDevnet, { timeout: "60 seconds", excludeTestServices: true })("prices", (it) => {
  it.effect("of native tokens are those of their wrapped form by the platform's oracle, which on polygon is WMATIC", () =>
    Effect.gen(function*() {
      const { native } = yield* Prices
      assert.deepStrictEqual(yield* native("optimism"), Option.some(3000n * 10n ** 18n))
      assert.deepStrictEqual(yield* native("polygon"), Option.some(5n * 10n ** 17n))
    }))

  it.effect("are those of the moment", () =>
    Effect.gen(function*() {
      const { setPrice } = yield* Devnet
      yield* setPrice({ network: "polygon", symbol: "WMATIC", usd: 0.6125 })
      const { native } = yield* unread
      assert.deepStrictEqual(yield* native("polygon"), Option.some(6125n * 10n ** 14n))
      yield* setPrice({ network: "polygon", symbol: "WMATIC", usd: 0.5 })
    }))

  it.effect("are read once for all who ask within ten seconds, and what is charged says when that was", () =>
    Effect.gen(function*() {
      let calls = 0
      const counting = over((chain) => ({ ...chain, readAll: (...reads) => Effect.zipRight(Effect.sync(() => { calls++ }), chain.readAll(...reads)) }))
      const { charge, native } = yield* Effect.provide(Prices, counting)
      const clock = yield* Clock.clockWith(Effect.succeed)
      const at = (later: number) => Effect.withClock(Object.assign(Object.create(clock) as Clock.Clock, { currentTimeMillis: Effect.succeed(1_000_000 + later) }))
      const first = yield* at(0)(charge("polygon", "trade"))
      yield* at(9_999)(Effect.all([native("polygon"), charge("polygon", "approve"), charge("polygon", "trade")], { concurrency: "unbounded" }))
      const again = yield* at(9_999)(charge("polygon", "trade"))
      assert.deepStrictEqual([calls, first.priceAt, again.priceAt], [1, 1_000_000, 1_000_000])
      const later = yield* at(10_000)(charge("polygon", "trade"))
      assert.deepStrictEqual([calls, later.priceAt], [2, 1_010_000])
    }))

  it.effect("of actions are in dollars and in wei at that price, with where the price is from", () =>
    Effect.gen(function*() {
      const { charge } = yield* Prices
      const { priceAt, ...trade } = yield* charge("polygon", "trade")
      assert.isNumber(priceAt)
      assert.deepStrictEqual(trade, {
        action: "trade",
        usd: 0.1,
        nativeWei: 2n * 10n ** 17n,
        nativePriceUsd18: 5n * 10n ** 17n,
        priceSource: "platform-oracle"
      })
      assert.strictEqual((yield* charge("optimism", "approve")).nativeWei, 20_000n * 10n ** 18n / 1_000_000n / 3000n)
    }))

  it.effect("of free actions are nothing, whether a price is known or not", () =>
    Effect.gen(function*() {
      const { charge } = yield* Prices
      const free = { action: "free", usd: 0, nativeWei: 0n, nativePriceUsd18: null, priceSource: null, priceAt: null } as const
      assert.deepStrictEqual(yield* charge("optimism", "free"), free)
      assert.deepStrictEqual(yield* charge("base", "free"), free)
    }))

  it.effect("that are not known leave charges in dollars alone, neither free nor blocked", () =>
    Effect.gen(function*() {
      const { charge, native } = yield* unread
      const { setPrice } = yield* Devnet
      yield* setPrice({ network: "optimism", symbol: "WETH", usd: 0 })
      assert.deepStrictEqual(yield* native("optimism"), Option.none())
      for (const action of paid) {
        assert.deepStrictEqual(yield* charge("optimism", action), {
          action,
          usd: usdOf(action),
          nativeWei: null,
          nativePriceUsd18: null,
          priceSource: null,
          priceAt: null
        })
      }
      yield* setPrice({ network: "optimism", symbol: "WETH", usd: 3000 })
      assert.deepStrictEqual(yield* native("optimism"), Option.some(3000n * 10n ** 18n))
    }))

  it.effect("are not known on a network that is not configured, or that cannot be reached", () =>
    Effect.gen(function*() {
      const { native } = yield* Prices
      assert.deepStrictEqual(yield* native("base"), Option.none())
      const down = over((chain) => ({ ...chain, readAll: () => new RpcUnavailable({ network: "optimism", reason: "down" }) }))
      const { charge } = yield* Effect.provide(Prices, down)
      assert.strictEqual((yield* charge("optimism", "trade")).usd, 0.1)
      assert.isNull((yield* charge("optimism", "trade")).nativeWei)
    }).pipe(Effect.provide(Logger.minimumLogLevel(LogLevel.None))))

  it.effect("are not known where the oracle is another contract", () =>
    Effect.gen(function*() {
      const elsewhere = over((chain) => ({ ...chain, book: { ...chain.book, platformFactory: chain.book.multicall3 } }))
      const { native } = yield* Effect.provide(Prices, elsewhere)
      assert.deepStrictEqual(yield* native("optimism"), Option.none())
    }))

  it.effect.prop(
    "make exact wei of dollars: never more than the charge is worth, and less by under one wei",
    [FastCheck.constantFrom(...paid), FastCheck.integer({ min: 1, max: 2 ** 46 }).map((answer) => answer / 1e8)],
    ([action, usd]) =>
      Effect.gen(function*() {
        const { charge } = yield* unread
        const { setPrice } = yield* Devnet
        yield* setPrice({ network: "polygon", symbol: "WMATIC", usd })
        const { nativePriceUsd18, nativeWei, ...rest } = yield* charge("polygon", action)
        assert.strictEqual(nativePriceUsd18, BigInt(Math.round(usd * 1e8)) * 10n ** 10n)
        // wei × price ≤ dollars × 10^36 < (wei + 1) × price
        const owed = BigInt(Math.round(rest.usd * 100)) * 10n ** 34n
        assert.isTrue(nativeWei! * nativePriceUsd18! <= owed && owed < (nativeWei! + 1n) * nativePriceUsd18!)
      }),
    { fastCheck: { numRuns: 40 } }
  )
})
