import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { decodeErrorResult, decodeFunctionData, isHex } from "viem"
import type { Hex } from "@vault-trader/core/chain/Address"
import type { AggregatorName, Fault } from "../../src/aggregator/AggregatorFault.ts"
import * as KyberSwap from "../../src/aggregator/KyberSwap.ts"
import * as Odos from "../../src/aggregator/Odos.ts"
import * as OneInch from "../../src/aggregator/OneInch.ts"
import { elsewhere } from "../../src/aggregator/Order.ts"
import { Devnet } from "../../src/devnet/Devnet.ts"
import { network, refusal, TestDevnet, testVault, testVaultOn } from "../contract/TestVault.ts"
import { ask, fetched, type Question, Unanswered } from "./Client.ts"

const names: ReadonlyArray<AggregatorName> = ["1inch", "kyberswap", "odosV3"]

/** A vault that lets the aggregators take its USDC, and the request it sends them. */
const asking = Effect.gen(function*() {
  const vault = yield* testVault
  const { aggregators } = vault.devnet
  yield* Effect.addFinalizer(() => aggregators.heal)
  yield* aggregators.forget
  const question: Question = {
    chainId: vault.entry.chainId,
    chain: network,
    from: vault.token("USDC"),
    to: vault.token("WETH"),
    amount: 3_000_000_000n,
    vault: vault.pool,
    slippage: 0.5
  }
  const told = (
    aggregator: AggregatorName,
    fault: Fault,
    changes: Partial<Question> = {},
    order: { readonly retryAfter?: number } = {}
  ) => Effect.andThen(aggregators.inject({ aggregator, fault, ...order }), ask(aggregator, { ...question, ...changes }))
  const approved = Effect.forEach(
    names,
    (name) => vault.execute(vault.trader, vault.token("USDC"), vault.approve(vault.entry.aggregators[name]))
  )
  return { ...vault, aggregators, question, told, approved }
})

const words = (aggregator: AggregatorName, data: Hex): ReadonlyArray<string | bigint> => {
  if (aggregator === "1inch") {
    const { args, functionName } = decodeFunctionData({ abi: OneInch.routerAbi, data })
    if (functionName !== "swap") return []
    const [, { amount, dstReceiver, dstToken, minReturnAmount, srcToken }] = args
    return [dstReceiver, srcToken, dstToken, amount, minReturnAmount]
  }
  if (aggregator === "kyberswap") {
    const { args, functionName } = decodeFunctionData({ abi: KyberSwap.routerAbi, data })
    if (functionName !== "swap") return []
    const [{ desc: { amount, dstReceiver, dstToken, minReturnAmount, srcToken } }] = args
    return [dstReceiver, srcToken, dstToken, amount, minReturnAmount]
  }
  const { args: [{ inputAmount, inputToken, outputMin, outputReceiver, outputToken }] } = decodeFunctionData({
    abi: Odos.routerAbi,
    data
  })
  return [outputReceiver, inputToken, outputToken, inputAmount, outputMin]
}

/** Returns receiver, tokens, amount and minimum as the calldata contains them. */
const meant = (aggregator: AggregatorName, data: Hex) =>
  words(aggregator, data).map((word) => typeof word === "string" ? word.toLowerCase() : word)

layer(TestDevnet)("the fake aggregators", (it) => {
  for (const name of names) {
    it.effect(`${name} sells for a vault exactly what it quoted`, () =>
      Effect.gen(function*() {
        const { approved, entry, execute, held, question, trader } = yield* asking
        yield* approved
        const { amountOut, data, router } = yield* ask(name, question)
        assert.strictEqual(router, entry.aggregators[name])
        assert.deepStrictEqual(meant(name, data), [
          question.vault,
          question.from,
          question.to,
          question.amount,
          amountOut * 995n / 1000n
        ])
        const before = { usdc: yield* held("USDC"), weth: yield* held("WETH") }
        yield* execute(trader, router, data)
        assert.strictEqual(before.usdc - (yield* held("USDC")), question.amount)
        assert.strictEqual((yield* held("WETH")) - before.weth, amountOut)
        assert.isAbove(Number(amountOut), 0.99e18)
      }))

    it.effect(`${name} finds a route through two pools`, () =>
      Effect.gen(function*() {
        const { approved, execute, held, question, token, trader } = yield* asking
        yield* approved
        const { amountOut, data, router } = yield* ask(name, {
          ...question,
          from: token("USDC"),
          to: token("WBTC"),
          amount: 600_000_000n
        })
        yield* execute(trader, router, data)
        assert.strictEqual(yield* held("WBTC"), amountOut)
      }))

    it.effect(`${name} can falsify its calldata, and the platform refuses what it can detect`, () =>
      Effect.gen(function*() {
        const { approved, execute, question, told, trader } = yield* asking
        yield* approved
        const { amount, from, to, vault } = question
        const honest = yield* ask(name, question)
        const minOut = honest.amountOut * 995n / 1000n

        const stolen = yield* told(name, "otherReceiver")
        assert.deepStrictEqual(meant(name, stolen.data), [elsewhere, from, to, amount, minOut])
        assert.strictEqual(yield* refusal(execute(trader, stolen.router, stolen.data)), "recipient is not pool")

        const strange = yield* told(name, "otherRouter")
        assert.strictEqual(strange.router, elsewhere)
        assert.strictEqual(yield* refusal(execute(trader, strange.router, strange.data)), "dh23")

        assert.deepStrictEqual(meant(name, (yield* told(name, "minOutOne")).data), [vault, from, to, amount, 1n])
        const [, , bought] = meant(name, (yield* told(name, "wrongToken")).data)
        assert.notInclude([from, to], bought)
        assert.deepStrictEqual(meant(name, (yield* told(name, "otherAmount")).data).slice(0, 4), [
          vault,
          from,
          to,
          amount * 2n
        ])
      }))

    it.effect(`${name} can quote an outdated price, which its router then refuses`, () =>
      Effect.gen(function*() {
        const { approved, execute, question, told, trader } = yield* asking
        yield* approved
        const honest = yield* ask(name, question)
        const stale = yield* told(name, "staleQuote")
        assert.strictEqual(stale.amountOut, honest.amountOut * 6n / 5n)
        const reason = yield* refusal(execute(trader, stale.router, stale.data))
        const said = isHex(reason) ? decodeErrorResult({ abi: OneInch.routerAbi, data: reason }).errorName : reason
        const expected = {
          "1inch": "ReturnAmountIsNotEnough",
          kyberswap: "Return amount is not enough",
          odosV3: "Slippage Limit Exceeded"
        }
        assert.strictEqual(said, expected[name])
      }))

    it.effect(`${name} can be rate-limited, broken, without a route, unauthorized, or cut off`, () =>
      Effect.gen(function*() {
        const { told } = yield* asking
        const status = (fault: Fault, order: { readonly retryAfter?: number } = {}) =>
          Effect.flatMap(
            Effect.flip(told(name, fault, {}, order)),
            (failure) =>
              failure instanceof Unanswered ? Effect.succeed([failure.status, failure.retryAfter]) : Effect.die(failure)
          )
        assert.deepStrictEqual(yield* status("rateLimited"), [429, "1"])
        assert.deepStrictEqual(yield* status("rateLimited", { retryAfter: 45 }), [429, "45"])
        assert.deepStrictEqual(yield* status("serverError"), [500, null])
        assert.deepStrictEqual(yield* status("noRoute"), [400, null])
        assert.deepStrictEqual(yield* status("unauthorized"), [401, null])
        assert.strictEqual((yield* Effect.flip(told(name, "truncated")))._tag, "SchemaError")
      }))

    it.effect(`${name} can leave a request unanswered`, () =>
      Effect.gen(function*() {
        const { devnet, told } = yield* asking
        const asked = yield* Effect.forkChild(told(name, "silence"))
        const requests = fetched(`${new URL(devnet.file.aggregators.urls[name]).origin}/__devnet/requests`)
        yield* Effect.repeat(requests, { until: (seen) => seen.includes(name) })
        assert.isUndefined(asked.pollUnsafe())
        yield* Fiber.interrupt(asked)
      }))

    it.effect(`${name} knows no route for a token without a pool`, () =>
      Effect.gen(function*() {
        const { question, token } = yield* asking
        const failure = yield* Effect.flip(ask(name, { ...question, to: token("LINK") }))
        assert.strictEqual(failure instanceof Unanswered && failure.status, 400)
      }))
  }

  it.effect("1inch and Odos require the devnet's key", () =>
    Effect.gen(function*() {
      const { question } = yield* asking
      for (const name of ["1inch", "odosV3"] as const) {
        const failure = yield* Effect.flip(ask(name, question, "another"))
        assert.strictEqual(failure instanceof Unanswered && failure.status, 401)
      }
    }))

  it.effect("1inch answers with unoswap when configured to, through one pool and through two", () =>
    Effect.gen(function*() {
      const { approved, execute, held, told, token, trader } = yield* asking
      yield* approved
      const before = yield* held("WETH")
      const one = yield* told("1inch", "unoswap")
      assert.strictEqual(decodeFunctionData({ abi: OneInch.routerAbi, data: one.data }).functionName, "unoswap")
      yield* execute(trader, one.router, one.data)
      assert.strictEqual((yield* held("WETH")) - before, one.amountOut)
      const wbtc = yield* told("1inch", "unoswap", { to: token("WBTC"), amount: 600_000_000n })
      yield* execute(trader, wbtc.router, wbtc.data)
      assert.strictEqual(yield* held("WBTC"), wbtc.amountOut)
    }))

  it.effect("KyberSwap builds only what it summarised, unchanged", () =>
    Effect.gen(function*() {
      const { devnet, question } = yield* asking
      const url = `${devnet.file.aggregators.urls.kyberswap}/${network}/api/v1`
      const text = yield* fetched(`${url}/routes?tokenIn=${question.from}&tokenOut=${question.to}&amountIn=1000000`)
      const { data: { routeSummary } } = yield* Schema.decodeEffect(Schema.fromJsonString(Schema.Struct({
        data: Schema.Struct({ routeSummary: Schema.Record(Schema.String, Schema.Unknown) })
      })))(text)
      const body = JSON.stringify({
        routeSummary: { ...routeSummary, amountOut: "1" },
        sender: question.vault,
        recipient: question.vault
      })
      const failure = yield* Effect.flip(
        fetched(`${url}/route/build`, { method: "POST", headers: { "content-type": "application/json" }, body })
      )
      assert.include(failure.body, "\"code\":4000")
      assert.strictEqual(failure.status, 400)
    }))

  it.effect("can be set over HTTP too, for a number of requests, and the requests can be read", () =>
    Effect.gen(function*() {
      const { devnet, question } = yield* asking
      const origin = new URL(devnet.file.aggregators.urls["1inch"]).origin
      const control = (path: string, method: string, body?: string) =>
        fetched(`${origin}/__devnet/${path}`, {
          method,
          ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } })
        })
      yield* control("faults", "POST", JSON.stringify({ aggregator: "1inch", fault: "rateLimited", times: 1 }))
      assert.strictEqual((yield* Effect.flip(ask("1inch", question)))._tag, "Unanswered")
      yield* ask("1inch", question)
      yield* control("faults", "POST", JSON.stringify({ aggregator: "1inch", fault: "serverError" }))
      yield* control("faults", "DELETE")
      yield* ask("1inch", question)
      assert.include(yield* control("requests", "GET"), "/1inch/swap/v6.0/10/swap?src=")
      const wrong = yield* Effect.flip(
        control("faults", "POST", JSON.stringify({ aggregator: "1inch", fault: "rain" }))
      )
      assert.strictEqual(wrong.status, 400)
      assert.include(yield* fetched(origin), "fakes")
    }))
})

layer(Devnet.layer({ networks: ["hyperliquid"], heartbeat: false }))(
  "the fake KyberSwap on the derivatives network",
  (it) => {
    it.effect("knows it by the name the real one has for it, and is the only way to swap there", () =>
      Effect.gen(function*() {
        const { approve, entry, execute, held, pool, token, trader } = yield* testVaultOn("hyperliquid")
        const question: Question = {
          chainId: 999,
          chain: "hyperevm",
          from: token("USDC"),
          to: token("WHYPE"),
          amount: 400_000_000n,
          vault: pool,
          slippage: 0.5
        }
        const { amountOut, data, router } = yield* ask("kyberswap", question)
        yield* execute(trader, token("USDC"), approve(router))
        yield* execute(trader, router, data)
        assert.strictEqual(yield* held("WHYPE"), amountOut)
        assert.approximately(Number(amountOut), 10e18, 0.1e18)
        assert.strictEqual(
          yield* refusal(execute(trader, token("USDC"), approve(entry.aggregators["1inch"]))),
          "unsupported spender approval"
        )
      }))
  }
)
