import { assert, it } from "@effect/vitest"
import type { Request } from "@vault-trader/testing/test-chain/Rpc"
import { refused, unavailable } from "@vault-trader/testing/test-chain/Rpc"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { clientOver, endpointOf } from "./TestClient.ts"

type Tag = "null" | "refused" | number

/** A node whose final block is so many blocks behind its head, or that does not have the tag. */
const tagged = (chain: TestChain.TestChain, tag: Tag): Request => (method, params) => {
  if (method !== "eth_getBlockByNumber" || params[0] !== "finalized") return chain.request(method, params)
  return tag === "null"
    ? Effect.succeed(null)
    : tag === "refused"
    ? Effect.fail(refused(-32000, "finalized block not found"))
    : chain.behind(tag)(method, params)
}

const down: Request = () => Effect.fail(unavailable("optimism", "HTTP 503"))

/** A chain of 100 blocks, each of two seconds. */
const longChain = Effect.gen(function*() {
  const chain = yield* TestChain.make({ network: "optimism", baseFee: 1n })
  yield* Effect.forEach(Array.from({ length: 100 }), () => Effect.andThen(TestClock.adjust(2_000), chain.mine()))
  return chain
})

const byTag = { finality: "finalized", finalityDepth: 10 } as const
const finalOver = (chain: TestChain.TestChain, ...nodes: ReadonlyArray<Request>) =>
  Effect.flatMap(
    clientOver(chain, nodes.map((node, index) => endpointOf(`node ${index}`, node, index)), byTag),
    ({ finalBlock }) => finalBlock
  )

it.effect("is the node's final block, and counted by depth where the node has no tag", () =>
  Effect.gen(function*() {
    const chain = yield* longChain
    assert.strictEqual(yield* finalOver(chain, tagged(chain, 30)), 70n)
    assert.strictEqual(yield* finalOver(chain, tagged(chain, "null")), 90n)
    assert.strictEqual(yield* finalOver(chain, tagged(chain, "refused")), 90n)
  }))

it.effect("is counted by depth where the tag stands still for more than an hour", () =>
  Effect.gen(function*() {
    const chain = yield* longChain
    yield* TestClock.adjust("2 hours")
    yield* chain.mine()
    assert.strictEqual(yield* finalOver(chain, tagged(chain, 30)), 91n)
  }))

it.effect("costs no call by depth while the head was just seen", () =>
  Effect.gen(function*() {
    const chain = yield* longChain
    let calls = 0
    const counting: Request = (method, params) => {
      calls += 1
      return chain.request(method, params)
    }
    const client = yield* clientOver(chain, [endpointOf("only", counting)], { finalityDepth: 10 })
    yield* client.head
    assert.strictEqual(yield* client.finalBlock, 90n)
    assert.strictEqual(calls, 1)
  }))

it.effect("is as new as two endpoints report: one that runs ahead makes nothing final", () =>
  Effect.gen(function*() {
    const chain = yield* longChain
    assert.strictEqual(yield* finalOver(chain, tagged(chain, 0), tagged(chain, 30)), 70n)
    assert.strictEqual(yield* finalOver(chain, down, tagged(chain, 40), tagged(chain, 30)), 60n)
  }))

it.effect("is not known while only one of several endpoints answers", () =>
  Effect.gen(function*() {
    const chain = yield* longChain
    assert.strictEqual((yield* Effect.flip(finalOver(chain, tagged(chain, 30), down)))._tag, "RpcUnavailable")
  }))
