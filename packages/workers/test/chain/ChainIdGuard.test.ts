import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Scheduler from "effect/Scheduler"
import * as TestClock from "effect/testing/TestClock"
import * as ChainIdGuard from "../../src/chain/ChainIdGuard.ts"
import * as JsonRpc from "../../src/chain/JsonRpc.ts"
import type { RpcEndpoint } from "../../src/chain/RpcEndpoint.ts"
import { type RpcFailure, RpcUnavailable } from "../../src/chain/RpcFailure.ts"

const book = { network: "base", chainId: 8453 } as const
const down = new RpcUnavailable({ network: "base", reason: "RequestError" })

/** A node whose chain and state a test changes; it records the methods that were called. */
const node = (name: string, latency = 50) => {
  const methods: Array<string> = []
  const state = { chainId: 8453, failure: undefined as RpcFailure | undefined }
  const endpoint: RpcEndpoint = {
    name,
    score: () => ({ latency, errors: 0, head: 0n }),
    send: ({ method }) =>
      Effect.suspend(() => {
        methods.push(method)
        if (state.failure !== undefined) return Effect.fail(state.failure)
        return Effect.succeed(
          method === "eth_chainId" ? `0x${state.chainId.toString(16)}` : `${method} of chain ${state.chainId}`
        )
      })
  }
  return { endpoint, methods, state }
}

const balance = { method: "eth_getBalance", params: [] }

it.effect("does not use an endpoint that was down at start and comes up on another chain", () =>
  Effect.gen(function*() {
    const first = node("first", 1)
    first.state.failure = down
    const second = node("second")
    const rpc = JsonRpc.overEndpoints("base", [
      ChainIdGuard.make(book, first.endpoint),
      ChainIdGuard.make(book, second.endpoint, 0)
    ])
    assert.strictEqual(yield* rpc.request("eth_getBalance", []), "eth_getBalance of chain 8453")
    first.state.failure = undefined
    first.state.chainId = 10
    assert.strictEqual(yield* rpc.request("eth_getBalance", []), "eth_getBalance of chain 8453")
    assert.notInclude(first.methods, "eth_getBalance")
  }))

it.effect("reads the chain id again after a connection that failed, and not after a rate limit", () =>
  Effect.gen(function*() {
    const { endpoint, methods, state } = node("one")
    const guarded = ChainIdGuard.make(book, endpoint, 0)
    state.failure = new RpcUnavailable({ network: "base", reason: "HTTP 429" })
    assert.isTrue(Result.isFailure(yield* Effect.result(guarded.send(balance))))
    state.failure = undefined
    yield* guarded.send(balance)
    assert.deepStrictEqual(methods, ["eth_getBalance", "eth_getBalance"])
    state.failure = down
    assert.isTrue(Result.isFailure(yield* Effect.result(guarded.send(balance))))
    state.failure = undefined
    state.chainId = 10
    const refused = yield* Effect.flip(guarded.send(balance))
    assert.strictEqual(refused.reason, "the endpoint serves chain 10")
    assert.deepStrictEqual(methods.slice(2), ["eth_getBalance", "eth_chainId"])
  }))

it.effect("reads the chain id every few minutes even if the endpoint always answered", () =>
  Effect.gen(function*() {
    const { endpoint, state } = node("one")
    const guarded = ChainIdGuard.make(book, endpoint, 0)
    yield* guarded.send(balance)
    state.chainId = 10
    yield* TestClock.adjust("5 minutes")
    assert.strictEqual((yield* Effect.flip(guarded.send(balance))).reason, "the endpoint serves chain 10")
  }))

it.effect("uses the endpoint again once it serves its chain", () =>
  Effect.gen(function*() {
    const { endpoint, state } = node("one")
    const guarded = ChainIdGuard.make(book, endpoint)
    state.chainId = 10
    yield* Effect.flip(guarded.send(balance))
    state.chainId = 8453
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* guarded.send(balance), "eth_getBalance of chain 8453")
  }))

/** Lets a fiber yield once, before its step of this number, as a long-running one does at any step. */
const yieldingAt = (step: number): Scheduler.Scheduler => {
  let steps = 0
  return {
    executionMode: "async",
    shouldYield: () => ++steps === step,
    makeDispatcher: () => new Scheduler.MixedScheduler().makeDispatcher()
  }
}

it.effect("reads the chain id for later callers wherever the caller that began the read is interrupted", () =>
  Effect.gen(function*() {
    for (let step = 1; step <= 60; step++) {
      const guarded = ChainIdGuard.make(book, node("one").endpoint)
      const first = yield* Effect.forkChild(
        Effect.provideService(guarded.send(balance), Scheduler.Scheduler, yieldingAt(step))
      )
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      const later = yield* Effect.forkChild(guarded.send(balance))
      yield* Effect.repeat(Effect.yieldNow, { times: 20 })
      assert.isDefined(later.pollUnsafe(), `a caller waits forever after an interruption at step ${step}`)
    }
  }))
