import { assert, layer } from "@effect/vitest"
import { findAgreedReading } from "@vault-trader/core/billing/Price"
import { defaultPrices, usdOf } from "@vault-trader/core/billing/PriceList"
import { Token } from "@vault-trader/core/chain/Token"
import type { Charge } from "@vault-trader/core/endpoint/Endpoint"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import { Prices } from "../../src/billing/Prices.ts"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { Chains } from "../../src/chain/Chains.ts"
import { RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import { holds } from "../Property.ts"

const networks = ["optimism", "polygon"] as const

const TestDevnet = Layer.unwrap(
  Effect.map(
    Devnet,
    ({ books }) => Prices.layer.pipe(Layer.provideMerge(Chains.layer(books)), Layer.provide(FetchHttpClient.layer))
  )
).pipe(Layer.provideMerge(Devnet.layer({ networks, heartbeat: false })))

const paid: ReadonlyArray<Exclude<Charge, "free">> = [
  "trade",
  "approve",
  "lend",
  "liquidity",
  "managerFee",
  "exchangeTrade"
]

/** Prices over a client that is the network's, changed. */
const over = (change: (chain: ChainClient) => ChainClient) =>
  Prices.layer.pipe(Layer.provide(Layer.effect(
    Chains,
    Effect.map(Chains, (chains) => ({
      ...chains,
      get: (network) => Effect.map(chains.get(network), change)
    }))
  )))

/** Prices that have read nothing yet, with the platform's oracle as the only source. */
const unread = Effect.provide(Prices, over((chain) => ({ ...chain, book: { ...chain.book, uniswapV3: undefined } })), {
  local: true
})
/** The same with every source. */
const unreadOfAll = Effect.provide(Prices, over((chain) => chain), { local: true })

const wallet: Address = "0x00000000000000000000000000000000000000aa"

layer(TestDevnet, { timeout: "4 minutes", excludeTestServices: true })("prices", (it) => {
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

  it.effect("are read once for all callers within ten seconds, and a charge records when that was", () =>
    Effect.gen(function*() {
      let calls = 0
      const counting = over((chain) => ({
        ...chain,
        readConfirmed: (...reads) =>
          Effect.andThen(
            Effect.sync(() => {
              calls++
            }),
            chain.readAll(...reads)
          )
      }))
      const { charge, native } = yield* Effect.provide(Prices, counting, { local: true })
      const clock = yield* Clock.clockWith(Effect.succeed)
      const at = (later: number) =>
        Effect.provideService(
          Clock.Clock,
          Object.assign(Object.create(clock) as Clock.Clock, { currentTimeMillis: Effect.succeed(1_000_000 + later) })
        )
      const first = yield* at(0)(charge("polygon", "trade", wallet))
      yield* at(9_999)(
        Effect.all([native("polygon"), charge("polygon", "approve", wallet), charge("polygon", "trade", wallet)], {
          concurrency: "unbounded"
        })
      )
      const again = yield* at(9_999)(charge("polygon", "trade", wallet))
      assert.deepStrictEqual([calls, first.priceAt, again.priceAt], [1, 1_000_000, 1_000_000])
      const later = yield* at(10_000)(charge("polygon", "trade", wallet))
      assert.deepStrictEqual([calls, later.priceAt], [2, 1_010_000])
    }))

  it.effect("of actions are in dollars and in wei at that price, with where the price is from", () =>
    Effect.gen(function*() {
      const { charge } = yield* Prices
      const { priceAt, ...trade } = yield* charge("polygon", "trade", wallet)
      assert.isNumber(priceAt)
      assert.deepStrictEqual(trade, {
        action: "trade",
        usd: 0.1,
        nativeWei: 2n * 10n ** 17n,
        nativePriceUsd18: 5n * 10n ** 17n,
        priceSource: "platform-oracle"
      })
      assert.strictEqual(
        (yield* charge("optimism", "approve", wallet)).nativeWei,
        20_000n * 10n ** 18n / 1_000_000n / 3000n
      )
    }))

  it.effect("of free actions are nothing, whether a price is known or not", () =>
    Effect.gen(function*() {
      const { charge } = yield* Prices
      const free = {
        action: "free",
        usd: 0,
        nativeWei: 0n,
        nativePriceUsd18: null,
        priceSource: null,
        priceAt: null
      } as const
      assert.deepStrictEqual(yield* charge("optimism", "free", wallet), free)
      assert.deepStrictEqual(yield* charge("base", "free", wallet), free)
    }))

  it.effect("that are not known leave charges in dollars alone, neither free nor blocked", () =>
    Effect.gen(function*() {
      const { charge, native } = yield* unread
      const { setPrice } = yield* Devnet
      yield* setPrice({ network: "optimism", symbol: "WETH", usd: 0 })
      assert.deepStrictEqual(yield* native("optimism"), Option.none())
      for (const action of paid) {
        assert.deepStrictEqual(yield* charge("optimism", action, wallet), {
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
      const down = over((chain) => ({
        ...chain,
        readConfirmed: () => new RpcUnavailable({ network: "optimism", reason: "down" })
      }))
      const { charge } = yield* Effect.provide(Prices, down, { local: true })
      assert.strictEqual((yield* charge("optimism", "trade", wallet)).usd, 0.1)
      assert.isNull((yield* charge("optimism", "trade", wallet)).nativeWei)
    }).pipe(Effect.provide(Layer.succeed(References.MinimumLogLevel, "None"))))

  it.effect("are not known where the oracle is another contract", () =>
    Effect.gen(function*() {
      const elsewhere = over((chain) => ({
        ...chain,
        book: { ...chain.book, platformFactory: chain.book.multicall3, uniswapV3: undefined }
      }))
      const { native } = yield* Effect.provide(Prices, elsewhere, { local: true })
      assert.deepStrictEqual(yield* native("optimism"), Option.none())
    }))

  it.effect("come from the pools where the oracle has no price, but only for display: a pool alone decides no charge", () =>
    Effect.gen(function*() {
      const { setPrice } = yield* Devnet
      yield* setPrice({ network: "optimism", symbol: "WETH", usd: 0 })
      const { charge, native, usable } = yield* unreadOfAll
      const shown = Option.getOrUndefined(yield* native("optimism"))
      // The pools stand at 3,000 USD, and keep their fee.
      assert.isTrue(shown !== undefined && shown > 2950n * 10n ** 18n && shown < 3050n * 10n ** 18n)
      assert.deepInclude(yield* charge("optimism", "trade", wallet), {
        usd: 0.1,
        nativeWei: null,
        nativePriceUsd18: null,
        priceSource: null
      })
      assert.deepStrictEqual(yield* usable("optimism"), Option.none())
      yield* setPrice({ network: "optimism", symbol: "WETH", usd: 3000 })
    }))

  it.effect("that contradict each other by more than two percent are used by no charge, and both are reported", () =>
    Effect.gen(function*() {
      const { setPrice } = yield* Devnet
      const token = Token.make({
        address: (yield* Effect.flatMap(Chains, (chains) => chains.get("optimism"))).book.wrappedNative,
        symbol: "ETH",
        decimals: 18
      })
      for (const [usd, isUsable] of [[3000, true], [3030, true], [3100, false], [2900, false]] as const) {
        yield* setPrice({ network: "optimism", symbol: "WETH", usd })
        const { charge, readings, usable } = yield* unreadOfAll
        assert.strictEqual(Option.isSome(yield* usable("optimism")), isUsable, String(usd))
        assert.strictEqual((yield* charge("optimism", "trade", wallet)).nativeWei !== null, isUsable, String(usd))
        const said = yield* readings("optimism", token)
        assert.deepStrictEqual(said.readings.map(({ source }) => source), ["platform-oracle", "uniswapV3-usdc"])
        // The feed returns when it was updated.
        assert.isNumber(said.readings[0]?.updatedAt)
        const verdict = findAgreedReading(said)
        assert.strictEqual(Result.isSuccess(verdict), isUsable)
        if (Result.isFailure(verdict)) {
          assert.match(verdict.failure.reason, new RegExp(`platform-oracle says ${usd} USD, uniswapV3-usdc \\d+`))
        }
      }
      yield* setPrice({ network: "optimism", symbol: "WETH", usd: 3000 })
    }))

  it.effect("are charged by the operator's list, and not at all to exempt wallets", () =>
    Effect.gen(function*() {
      const other: Address = "0x00000000000000000000000000000000000000bb"
      const layer = Prices.layerOf({ prices: { ...defaultPrices, trade: 0.25 }, exempt: [other] })
      const { charge } = yield* Effect.provide(Prices, layer, { local: true })
      assert.strictEqual((yield* charge("optimism", "trade", wallet)).usd, 0.25)
      assert.deepInclude(yield* charge("optimism", "trade", other), { usd: 0, nativeWei: 0n })
    }))

  it.effect("make exact wei of dollars: never more than the charge is worth, and less by under one wei", () =>
    holds(
      [FastCheck.constantFrom(...paid), FastCheck.integer({ min: 1, max: 2 ** 46 }).map((answer) => answer / 1e8)],
      (action, usd) =>
        Effect.gen(function*() {
          const { charge } = yield* unread
          const { setPrice } = yield* Devnet
          yield* setPrice({ network: "polygon", symbol: "WMATIC", usd })
          const { nativePriceUsd18, nativeWei, ...rest } = yield* charge("polygon", action, wallet)
          assert.strictEqual(nativePriceUsd18, BigInt(Math.round(usd * 1e8)) * 10n ** 10n)
          // wei × price ≤ dollars × 10^36 < (wei + 1) × price
          const owed = BigInt(Math.round(rest.usd * 100)) * 10n ** 34n
          assert.isTrue(nativeWei! * nativePriceUsd18! <= owed && owed < (nativeWei! + 1n) * nativePriceUsd18!)
        }),
      { numRuns: 40 }
    ))
})
