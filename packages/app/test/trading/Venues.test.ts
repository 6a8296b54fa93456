import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { NetworkBook, UniswapV3Book } from "@vault-trader/core/chain/NetworkConfig"
import { KeyLimits, none } from "@vault-trader/core/gas-wallet/KeyLimits"
import { retiredVenues } from "@vault-trader/core/venue/VenueName"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, rows, Running, running, trader, yieldVault } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"
import { RpcProxy } from "@vault-trader/testing/harness/RpcProxy"

const network = "base"

/** The network with another contract as its factory: no pool of Uniswap's is found, so 1inch needs its API. */
const withoutPools = (book: NetworkBook) => {
  const { uniswapV3, ...rest } = book
  return uniswapV3 === undefined
    ? book
    : NetworkBook.make({ ...rest, uniswapV3: UniswapV3Book.make({ ...uniswapV3, factory: uniswapV3.quoter }) })
}

/** All venues; a loaded machine may take long to quote. */
const service = running({
  networks: ["base", "polygon"],
  aggregators: true,
  env: { VENUE_TIMEOUT_MS: "20000", WAIT_SECONDS: "120" },
  books: (books) => Effect.map(RpcProxy, ({ inFront }) => inFront(books).map(withoutPools))
}).pipe(Layer.provideMerge(RpcProxy.layer))

type Passed = ReadonlyArray<{ readonly venue: string; readonly reason: string }>
const raw = (quantity: unknown): bigint => BigInt(String((quantity as Fields)["raw"]))
const passedOver = (fields: Fields) => fields["passed_over"] as Passed
const names = (fields: Fields) => passedOver(fields).map(({ venue }) => venue)

/** The aggregators without faults and with an empty request log; reset again afterwards. */
const fakes = Effect.gen(function*() {
  const { aggregators } = yield* Devnet
  yield* Effect.addFinalizer(() =>
    Effect.andThen(aggregators.heal, rows("with pauses as (delete from venue_pauses) delete from venue_bans"))
  )
  yield* aggregators.heal
  yield* aggregators.forget
  return aggregators
})

/** Sells 10 USDC for WETH, and compares the answer with the vault's balances before and after. */
const traded = (
  by: { readonly apiKey: string; readonly pool: Address; readonly network: Network },
  rest: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const { apiKey, network, pool } = by
    const held = Effect.all([OnChain.balanceOf(network, "USDC", pool), OnChain.balanceOf(network, "WETH", pool)])
    const [usdc, weth] = yield* held
    const answer = succeeded(
      yield* ask("/vaultTrade", {
        query: { apiKey, network, pool, from: "USDC", to: "WETH", amount: "10", slippage: "1", ...rest }
      })
    )
    const [usdcAfter, wethAfter] = yield* held
    assert.strictEqual(raw(answer["sold"]), 10_000_000n)
    assert.deepStrictEqual([usdc - usdcAfter, wethAfter - weth], [raw(answer["sold"]), raw(answer["bought"])])
    assert.isTrue(raw(answer["bought"]) >= raw(answer["min_out"]))
    return answer
  })

const routerOf = (venue: "1inch" | "kyberswap" | "odosV3") =>
  Effect.map(Devnet, ({ file }) => file.networks[network]!.aggregators[venue])

layer(service, { timeout: 240_000, excludeTestServices: true })("venues", (it) => {
  it.effect("the one that is named does the trade, in any case of its name; auto and retired names mean the first of the chain", () =>
    Effect.gen(function*() {
      yield* fakes
      const by = yield* trader()
      for (
        const [platform, venue] of [
          ["1inch", "1inch"],
          ["KYBERSWAP", "kyberswap"],
          ["odosv3", "odosV3"],
          ["uniswapV3", "uniswapV3"],
          ["auto", "1inch"],
          ["odos", "1inch"],
          ["0x", "1inch"]
        ] as const
      ) {
        const answer = yield* traded(by, { platform })
        assert.deepStrictEqual([answer["venue"], answer["passed_over"]], [venue, []])
        assert.include(String(answer["message"]), ` on ${venue}.`)
      }
      const { ask } = yield* Running
      const about = { apiKey: by.apiKey, network, pool: by.pool, dryRun: "true" }
      for (const platform of retiredVenues) {
        const { plan } = succeeded(
          yield* ask("/vaultTrade", {
            query: { ...about, from: "USDC", to: "WETH", amount: "10", slippage: "1", platform }
          })
        )
        assert.strictEqual((plan as Fields)["venue"], "1inch", platform)
      }
    }))

  it.effect("the one that is named is refused where it cannot do it, and no other venue trades or is approved instead", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { inject } = yield* fakes
      const by = yield* trader()
      const about = { apiKey: by.apiKey, network, pool: by.pool }
      const trade = (platform: string) =>
        ask("/vaultTrade", { query: { ...about, from: "USDC", to: "WETH", amount: "10", slippage: "1", platform } })
      const approve = (platform: string) => ask("/approve", { json: { ...about, asset: "LINK", platform } })
      const count = yield* OnChain.transactionCount(network, by.address)
      yield* inject({ aggregator: "1inch", fault: "serverError" })
      for (
        const [answer, errorType, saying] of [
          [
            yield* trade("quickswap"),
            "venue_not_allowed",
            /^quickswap cannot swap USDC for WETH \(not available on base\), and no other venue is tried/
          ],
          [yield* trade("1inch"), "no_route", /^1inch cannot swap USDC for WETH \(its API failed/],
          [
            yield* approve("quickswap"),
            "venue_not_allowed",
            /^The vault platform does not allow quickswap on base, and no other venue is approved instead/
          ]
        ] as const
      ) {
        assert.deepStrictEqual([answer.status, answer.body["error_type"]], [400, errorType], answer.text)
        assert.match(String(answer.body["message"]), saying)
      }
      yield* OnChain.whileUnguarded(
        network,
        "uniswapV3",
        Effect.gen(function*() {
          for (const answer of [yield* trade("uniswapV3"), yield* approve("uniswapV3")]) {
            assert.deepStrictEqual([answer.status, answer.body["status_code"], answer.body["error_type"]], [
              400,
              "2007",
              "venue_not_allowed"
            ], answer.text)
            assert.match(String(answer.body["message"]), /uniswapV3/)
          }
        })
      )
      const link = yield* OnChain.token(network, "LINK")
      for (const venue of ["1inch", "kyberswap", "odosV3"] as const) {
        assert.strictEqual(
          yield* OnChain.read(network, link, OnChain.tokenAbi, "allowance", [by.pool, yield* routerOf(venue)]),
          0n,
          venue
        )
      }
      assert.strictEqual(yield* OnChain.allowanceOf(network, "LINK", by.pool), 0n)
      assert.strictEqual(yield* OnChain.transactionCount(network, by.address), count)
    }))

  it.effect("polygon's chain has one venue more, which trades when it is named", () =>
    Effect.gen(function*() {
      const { inject } = yield* fakes
      const by = yield* trader({ network: "polygon" })
      assert.deepStrictEqual([(yield* traded(by, { platform: "quickswap" }))["venue"], (yield* traded(by))["venue"]], [
        "quickswap",
        "1inch"
      ])
      yield* inject({ aggregator: "1inch", fault: "serverError" })
      assert.strictEqual((yield* traded(by))["venue"], "kyberswap")
      for (const aggregator of ["kyberswap", "odosV3"] as const) yield* inject({ aggregator, fault: "serverError" })
      assert.strictEqual((yield* traded(by))["venue"], "uniswapV3")
    }))

  it.effect("that do not exist are 1010, with the accepted ones", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { apiKey, pool } = yield* trader()
      const { fields } = yield* ask("/vaultTrade", {
        query: { apiKey, network, pool, from: "USDC", to: "WETH", amount: "1", platform: "bestdex" }
      })
      assert.deepStrictEqual([fields["status"], fields["status_code"]], ["fail", "1010"])
      for (const name of ["platform", "auto", "best", "1inch", "kyberswap", "odosV3", "uniswapV3", "quickswap"]) {
        assert.include(String(fields["message"]), name)
      }
    }))

  it.effect("that lie or break down are passed over one after the other, and the answer, the dry run and the intent say why", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { inject } = yield* fakes
      const by = yield* trader()
      for (
        const [first, second, said] of [
          ["otherReceiver", "serverError", [/pays 0x0+bad00, not the vault/, /HTTP 500/]],
          ["staleQuote", "otherRouter", [/would revert/, /not to its router/]],
          ["truncated", "wrongToken", [/is incomplete/, /buys 0x[0-9a-f]{40}, not WETH/]],
          ["minOutOne", "otherAmount", [/accepts as little as/, /sells 20 USDC/]]
        ] as const
      ) {
        yield* inject({ aggregator: "1inch", fault: first })
        yield* inject({ aggregator: "kyberswap", fault: second })
        yield* inject({ aggregator: "odosV3", fault: "unauthorized" })
        const dry = succeeded(
          yield* ask("/vaultTrade", {
            query: { apiKey: by.apiKey, network, pool: by.pool, from: "USDC", to: "WETH", amount: "10", dryRun: "true" }
          })
        )
        const answer = yield* traded(by)
        const skipped = ["1inch", "kyberswap", "odosV3"]
        assert.deepStrictEqual([answer["venue"], names(answer)], ["uniswapV3", skipped])
        for (const [index, { reason }] of passedOver(answer).entries()) {
          assert.match(reason, said[index] ?? /HTTP 401/)
        }
        assert.deepStrictEqual(names(dry["plan"] as Fields), skipped)
        const { intent } = succeeded(
          yield* ask("/getIntent", { query: { apiKey: by.apiKey, intent_id: String(answer["intent_id"]) } })
        )
        assert.deepStrictEqual(((intent as Fields)["result"] as Fields)["passed_over"], answer["passed_over"])
      }
    }))

  it.effect("that are asked too much of are left alone for as long as they say, by wallet and network, and asked again afterwards", () =>
    Effect.gen(function*() {
      const { forget, heal, seen, inject } = yield* fakes
      const here = yield* trader()
      const there = yield* trader({ network: "polygon" })
      yield* inject({ aggregator: "1inch", fault: "rateLimited", retryAfter: 300 })
      const limited = yield* traded(here)
      assert.deepStrictEqual([limited["venue"], names(limited)], ["kyberswap", ["1inch"]])
      assert.match(passedOver(limited)[0]!.reason, /has received too many requests \(HTTP 429/)
      yield* heal
      yield* forget
      const left = yield* traded(here)
      assert.deepStrictEqual([left["venue"], names(left)], ["kyberswap", ["1inch"]])
      assert.match(
        passedOver(left)[0]!.reason,
        /^not called until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, because its API has received too many requests/
      )
      assert.notInclude((yield* seen).map(({ aggregator }) => aggregator), "1inch")
      assert.strictEqual((yield* traded(there))["venue"], "1inch")
      const { setTrader } = yield* Devnet
      assert.strictEqual((yield* traded(yield* trader()))["venue"], "1inch")
      yield* setTrader({ network, pool: here.pool, trader: here.address })
      assert.deepStrictEqual(
        yield* rows(
          "select network, venue, wallet, until between now() and now() + interval '5 minutes' as minutes from venue_pauses"
        ),
        [{ network, venue: "1inch", wallet: here.address, minutes: true }]
      )
      assert.deepStrictEqual(yield* rows("select * from venue_bans"), [])
      yield* rows("update venue_pauses set until = now()")
      assert.strictEqual((yield* traded(here))["venue"], "1inch")
    }))

  it.effect("that the operator bans are skipped by auto and refused by name, also those without an API", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      yield* fakes
      const by = yield* trader()
      for (const venue of ["1inch", "kyberswap", "odosV3"]) {
        yield* rows(`insert into venue_bans values ('base', '${venue}', 'it lies', now() + interval '1 year')`)
      }
      const last = yield* traded(by)
      assert.deepStrictEqual([last["venue"], names(last)], ["uniswapV3", ["1inch", "kyberswap", "odosV3"]])
      yield* rows(
        "insert into venue_bans values ('base', 'uniswapV3', 'its pools are drained', now() + interval '1 year')"
      )
      for (const platform of ["auto", "best", "uniswapV3"]) {
        const answer = yield* ask("/vaultTrade", {
          query: { apiKey: by.apiKey, network, pool: by.pool, from: "USDC", to: "WETH", amount: "10", platform }
        })
        assert.strictEqual(answer.body["error_type"], "no_route", answer.text)
        assert.match(String(answer.body["message"]), /uniswapV3.*not called until .*, because its pools are drained/)
      }
    }))

  it.effect("are compared by best, which takes the largest output and names the others", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { inject } = yield* fakes
      const by = yield* trader()
      yield* inject({ aggregator: "1inch", fault: "serverError" })
      yield* inject({ aggregator: "kyberswap", fault: "staleQuote" })
      const dry = succeeded(
        yield* ask("/vaultTrade", {
          query: {
            ...{ apiKey: by.apiKey, network, pool: by.pool, from: "USDC", to: "WETH", amount: "10" },
            ...{ platform: "best", dryRun: "true" }
          }
        })
      )
      const answer = yield* traded(by, { platform: "best" })
      for (const fields of [answer, dry["plan"] as Fields]) {
        assert.strictEqual(fields["venue"], "odosV3")
        const reasons = new Map(passedOver(fields).map(({ reason, venue }) => [venue, reason]))
        assert.match(reasons.get("1inch") ?? "", /no pool with liquidity/)
        assert.match(reasons.get("kyberswap") ?? "", /^would revert/)
        assert.match(reasons.get("uniswapV3") ?? "", /^quotes 0\.\d+ WETH, no more than odosV3$/)
      }
      const approved = yield* ask("/approve", {
        json: { apiKey: by.apiKey, network, pool: by.pool, asset: "USDC", platform: "best" }
      })
      assert.strictEqual(approved.fields["status_code"], "1010", "best chooses a swap's venue, not a spender")
    }))

  it.effect("are compared for a bot's trade too, when it is set to best", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { inject } = yield* fakes
      const { apiKey, pool } = yield* trader({ network: "polygon", pool: yield* yieldVault("polygon") })
      const about = { apiKey, network: "polygon", pool }
      yield* inject({ aggregator: "1inch", fault: "serverError" })
      yield* inject({ aggregator: "kyberswap", fault: "otherReceiver" })
      const terms = { pair: "WETH-USDC", side: "neutral", max_usd: 50, slippage: 1, platform: "Best" }
      const set = succeeded(yield* ask("/setBot", { json: { ...about, ...terms } }))
      yield* Effect.addFinalizer(() => ask("/deleteBot", { method: "DELETE", query: about }))
      assert.strictEqual((set["data"] as Fields)["platform"], "best")
      const traded = yield* until(
        "the outcome of the bot's trade",
        Effect.map(
          ask("/getIntent", { query: { apiKey, intent_id: String(set["intent_id"]) } }),
          ({ fields }) => {
            const intent = fields["intent"] as Fields
            return intent["status"] === "success" || intent["status"] === "fail" ? intent : undefined
          }
        )
      )
      assert.match(String(traded["message"]), /^Sold [0-9.]+ WETH for [0-9.]+ USDC on odosV3\.$/)
    }))

  it.effect("that fail otherwise are asked again the next time", () =>
    Effect.gen(function*() {
      const { inject } = yield* fakes
      const by = yield* trader()
      for (const fault of ["serverError", "unauthorized", "noRoute", "truncated"] as const) {
        yield* inject({ aggregator: "1inch", fault, times: 1 })
        assert.deepStrictEqual(names(yield* traded(by)), ["1inch"])
        assert.deepStrictEqual(names(yield* traded(by)), [])
      }
      assert.deepStrictEqual(yield* rows("select * from venue_bans"), [])
    }))

  it.effect("may take an asset once they are approved, and no more once that is taken back", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      yield* fakes
      const { apiKey, pool } = yield* trader()
      for (const venue of ["1inch", "kyberswap", "odosV3"] as const) {
        const spender = yield* routerOf(venue)
        const allowance = OnChain.read(network, yield* OnChain.token(network, "DAI"), OnChain.tokenAbi, "allowance", [
          pool,
          spender
        ])
        const approve = (rest: Fields) =>
          Effect.map(
            ask("/approve", { json: { apiKey, network, pool, asset: "DAI", platform: venue, ...rest } }),
            succeeded
          )
        const given = yield* approve({})
        assert.deepStrictEqual([given["venue"], given["spender"], given["allowance"]], [venue, spender, "unlimited"])
        assert.isTrue((yield* allowance) > 2n ** 255n)
        yield* approve({ amount: 0 })
        assert.strictEqual(yield* allowance, 0n)
      }
    }))

  it.effect("trade for a key with limits, whose calls are read again before they are signed", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { inject } = yield* fakes
      const by = yield* trader()
      yield* Effect.provide(
        Effect.flatMap(
          KeyLimitStore,
          (limits) => limits.change(by.address, () => KeyLimits.make({ ...none, maxUsd18PerTrade: 11n * 10n ** 18n }))
        ),
        KeyLimitStore.layer
      )
      for (const platform of ["1inch", "kyberswap", "odosV3"]) {
        assert.strictEqual((yield* traded(by, { platform }))["venue"], platform)
      }
      yield* inject({ aggregator: "1inch", fault: "unoswap" })
      assert.strictEqual((yield* traded(by, { platform: "1inch" }))["venue"], "1inch")
      const more = yield* ask("/vaultTrade", {
        query: { apiKey: by.apiKey, network, pool: by.pool, from: "USDC", to: "WETH", amount: "12" }
      })
      assert.strictEqual(more.body["error_type"], "limit_exceeded")
    }))
})
