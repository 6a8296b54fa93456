import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Confirmation from "../src/Confirmation.ts"
import * as Scope from "@vault-trader/core/endpoint/ChangeScope"
import { type Answer, NoAnswer, ServiceClient } from "../src/ServiceClient.ts"
import { confirmationName, tools } from "../src/Tool.ts"
import * as ToolCall from "../src/ToolCall.ts"

type Json = Readonly<Record<string, unknown>>

interface Sent {
  readonly endpoint: string
  readonly params: Json
  readonly key: string | undefined
}

const args = {
  pool: "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2",
  network: "base",
  from: "USDC",
  to: "WETH",
  amount: "1"
}
const lost = new NoAnswer({ message: "No answer.", next: "Repeat it.", refused: false, intentId: undefined })

const success = (fields: Json): Answer => ({ httpStatus: 200, fields: { status: "success", ...fields } })
const plan = success({ dryRun: true, plan: { venue: "uniswapV3" }, message: "The plan." })
const traded = success({ intent_id: "7", tx_hash: "0x1", message: "Sold 1 USDC." })
const pending: Answer = {
  httpStatus: 200,
  fields: { status: "pending", intent_id: "7", tx_hash: null, message: "Accepted." }
}

/** Runs tools on a service that answers as `respond` says, and records what it received. */
const scene = (respond: (sent: Sent, before: ReadonlyArray<Sent>) => Answer | NoAnswer, maxUsd?: number) =>
  Effect.gen(function*() {
    const received: Array<Sent> = []
    const restriction = { allow: new Set(Scope.scopes), pools: undefined, assets: undefined, maxUsd }
    const run = ToolCall.make(restriction, yield* Confirmation.make)
    const call = (name: string, params: Json) =>
      Effect.provideService(run(name, params), ServiceClient, {
        call: ({ name: endpoint }, sent, key) => {
          const answer = respond({ endpoint, params: sent, key }, [...received])
          received.push({ endpoint, params: sent, key })
          return answer instanceof NoAnswer ? Effect.fail(answer) : Effect.succeed(answer)
        }
      })
    return { call, received }
  })

const content = (result: { readonly structuredContent?: Json | undefined }): Json => result.structuredContent ?? {}

describe("a change", () => {
  it.effect("is planned by the first call and executed by the second, once, without the confirmation on the wire", () =>
    Effect.gen(function*() {
      const { call, received } = yield* scene(({ params }) => params["dryRun"] === true ? plan : traded)
      const first = content(yield* call("vaultTrade", args))
      assert.deepInclude(first, { status: "confirmation_required", plan: { venue: "uniswapV3" } })
      const confirmed = { ...args, [confirmationName]: first[confirmationName] }
      assert.deepStrictEqual(content(yield* call("vaultTrade", confirmed)), traded.fields)
      const again = yield* call("vaultTrade", confirmed)
      assert.isTrue(again.isError)
      assert.match(String(content(again)["message"]), /was used: .*getIntent with intent_id 7/)
      assert.deepStrictEqual(received.map(({ params }) => params), [{ ...args, dryRun: true }, args])
      assert.isUndefined(received[0]?.key)
      assert.match(received[1]?.key ?? "", /^mcp-[0-9a-f]{40}$/)
    }))

  it.effect("whose answer was lost is repeated under the same idempotency key", () =>
    Effect.gen(function*() {
      const { call, received } = yield* scene(({ params }, before) =>
        params["dryRun"] === true ? plan : before.length === 1 ? lost : traded
      )
      const first = content(yield* call("vaultTrade", args))
      const confirmed = { ...args, [confirmationName]: first[confirmationName] }
      const unanswered = yield* call("vaultTrade", confirmed)
      assert.deepInclude(content(unanswered), { status: "fail", code: "no_answer" })
      assert.deepStrictEqual(content(yield* call("vaultTrade", confirmed)), traded.fields)
      assert.strictEqual(received[1]?.key, received[2]?.key)
      assert.isDefined(received[1]?.key)
    }))

  it.effect("gets no confirmation when its plan is refused, and says what to do", () =>
    Effect.gen(function*() {
      const refusal = { status: "fail", status_code: "2002", error_type: "insufficient_balance", message: "Too much." }
      const { call } = yield* scene(() => ({ httpStatus: 400, fields: refusal }))
      const result = yield* call("vaultTrade", args)
      assert.isTrue(result.isError)
      const { [confirmationName]: token, code, error_type: type, message, next_step: next } = content(result)
      assert.deepStrictEqual([token, code, type, message], [undefined, "2002", "insufficient_balance", "Too much."])
      assert.match(String(next), /smaller amount/)
    }))

  it.effect("of every tool needs a confirmation, whether its endpoint shows a plan or not, and is sent as it was shown", () =>
    Effect.forEach(tools.filter(({ scope }) => scope !== undefined), (tool) =>
      Effect.gen(function*() {
        const { call, received } = yield* scene(() => success({ message: "Done." }))
        const given = Object.fromEntries(tool.params.map(({ info, name }) => [name, info.example]))
        const first = content(yield* call(tool.name, given))
        assert.strictEqual(first["status"], "confirmation_required", tool.name)
        assert.deepInclude(first["request"], { endpoint: tool.facts.name, arguments: given })
        for (const { params } of received) {
          assert.isTrue(tool.rehearsal === "dryRun" ? params["dryRun"] : params["execute"] === undefined, tool.name)
        }
        const planned = received.length
        assert.strictEqual(planned, tool.rehearsal === undefined ? 0 : 1, tool.name)
        yield* call(tool.name, { ...given, [confirmationName]: first[confirmationName] })
        const execute = tool.rehearsal === "execute" ? { execute: true } : {}
        assert.deepStrictEqual(received.slice(planned).map(({ params }) => params), [{ ...given, ...execute }])
        assert.strictEqual(received[planned]?.key !== undefined, tool.facts.class === "movesFunds", tool.name)
      }), { discard: true }))

  it.effect("that is pending is followed to its outcome", () =>
    Effect.gen(function*() {
      const intent = { intent_id: "7", tx_hash: "0x1", message: "Sold 1 USDC.", failure: null }
      const open = success({ intent: { ...intent, status: "pending", result: null } })
      const done = success({ intent: { ...intent, status: "success", result: { venue: "uniswapV3" } } })
      const { call, received } = yield* scene(({ endpoint, params }, before) =>
        endpoint === "getIntent" ? (before.length < 4 ? open : done) : params["dryRun"] === true ? plan : pending
      )
      const first = content(yield* call("vaultTrade", args))
      const fiber = yield* Effect.forkChild(
        call("vaultTrade", { ...args, [confirmationName]: first[confirmationName] })
      )
      yield* TestClock.adjust("20 seconds")
      const { venue, status, tx_hash: hash } = content(yield* Fiber.join(fiber))
      assert.deepStrictEqual([venue, status, hash], ["uniswapV3", "success", "0x1"])
      assert.deepStrictEqual(received.at(-1)?.params, { intent_id: "7" })
    }))

  it.effect("that stays pending, or whose outcome cannot be read, is returned as pending with the tool that follows it", () =>
    Effect.gen(function*() {
      const { call } = yield* scene(({ endpoint, params }) =>
        endpoint === "getIntent" ? lost : params["dryRun"] === true ? plan : pending
      )
      const first = content(yield* call("vaultTrade", args))
      const confirmed = { ...args, [confirmationName]: first[confirmationName] }
      const fiber = yield* Effect.forkChild(call("vaultTrade", confirmed))
      yield* TestClock.adjust("2 minutes")
      const result = yield* Fiber.join(fiber)
      assert.isFalse(result.isError)
      assert.deepInclude(content(result), { status: "pending", intent_id: "7", follow_with: "getIntent" })
      assert.match(String(content(yield* call("vaultTrade", confirmed))["message"]), /was used/)
    }))

  it.effect("that ends as a failure after it was pending is a failure", () =>
    Effect.gen(function*() {
      const failure = { status_code: "2016", error_type: "expired", message: "It was not mined in time." }
      const intent = { intent_id: "7", tx_hash: null, message: "x", status: "fail", result: null, failure }
      const { call } = yield* scene(({ endpoint, params }) =>
        endpoint === "getIntent" ? success({ intent }) : params["dryRun"] === true ? plan : pending
      )
      const first = content(yield* call("vaultTrade", args))
      const result = yield* call("vaultTrade", { ...args, [confirmationName]: first[confirmationName] })
      assert.isTrue(result.isError)
      assert.deepInclude(content(result), { code: "2016", message: failure.message, intent_id: "7" })
    }))
})

describe("a call that is not sent", () => {
  it.effect("names an unknown tool, a tool of a scope that is not allowed, and an order above the limit", () =>
    Effect.gen(function*() {
      const { call, received } = yield* scene(() => traded, 500)
      const order = { ...args, coin: "ETH", side: "long", usd: "501" }
      for (
        const [name, params, saying] of [
          ["createGasWallet", {}, /does not offer a tool createGasWallet/],
          [
            "placePerpetualOrder",
            { pool: args.pool, coin: order.coin, side: order.side, usd: order.usd },
            /above 500 USD/
          ],
          ["vaultTrade", { ...args, apiKey: "x" }, /does not take apiKey/],
          ["vaultTrade", { ...args, [confirmationName]: 7 }, /not known/]
        ] as const
      ) {
        const result = yield* call(name, params)
        assert.isTrue(result.isError)
        assert.match(String(content(result)["message"]), saying)
      }
      assert.isEmpty(received)
    }))
})
