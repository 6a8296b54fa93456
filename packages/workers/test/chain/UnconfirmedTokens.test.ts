/** Tests of tokens that one endpoint alone describes while the others are silent. */
import { assert, it } from "@effect/vitest"
import type { Network } from "@vault-trader/core/chain/Network"
import { altered, multiplied } from "@vault-trader/testing/test-chain/AlteredCalls"
import type { Request } from "@vault-trader/testing/test-chain/Rpc"
import { unavailable } from "@vault-trader/testing/test-chain/Rpc"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { toFunctionSelector } from "viem"
import { Chains } from "../../src/chain/Chains.ts"
import { Tokens } from "../../src/chain/Tokens.ts"
import { clientOverRequests } from "./TestClient.ts"

const network: Network = "base"
const patienceMillis = 20_000
const decimalsOf = toFunctionSelector("decimals()")

/** The decimals of USDC over endpoints of which the first one doubles them; the others can be made silent. */
const doubling = (honest: number) =>
  Effect.gen(function*() {
    const chain = yield* TestChain.make({ network })
    const seen = { areSilent: false, calls: 0 }
    const counted = (request: Request): Request => (method, params) => {
      seen.calls += 1
      return request(method, params)
    }
    // `decimals()` has no argument: the end of the call is the selector itself.
    const liar = altered(chain.request, multiplied([decimalsOf], decimalsOf, 2n))
    const other: Request = (method, params) =>
      seen.areSilent ? Effect.fail(unavailable(network, "HTTP 503")) : chain.request(method, params)
    const requests = [liar, ...Array.from({ length: honest }, () => other)].map(counted)
    const client = yield* clientOverRequests(chain, requests, { patienceMillis })
    const tokens = yield* Tokens.pipe(
      Effect.provide(Tokens.layer.pipe(Layer.provide(Chains.layerOf(new Map([[network, client]])))))
    )
    return {
      decimals: Effect.map(tokens.at(network, [chain.token("USDC")]), ([token]) => token?.decimals),
      seen
    }
  })

/** Runs an effect with the time that it waits for between its turns. */
const elapse = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust(5_000)
    return yield* Fiber.join(fiber)
  })

it.effect("forgets the decimals that one endpoint alone has given once others answer", () =>
  Effect.gen(function*() {
    const { decimals, seen } = yield* doubling(2)
    seen.areSilent = true
    assert.strictEqual((yield* elapse(Effect.flip(decimals)))._tag, "ExecutionFailure", "within the patience")
    yield* TestClock.adjust(patienceMillis)
    assert.strictEqual(yield* elapse(decimals), 12, "one endpoint's word counts while no other answers")
    seen.areSilent = false
    assert.strictEqual(yield* elapse(decimals), 6)
    // The answer of two endpoints is kept, also while they are silent again.
    seen.areSilent = true
    seen.calls = 0
    yield* TestClock.adjust(patienceMillis)
    assert.strictEqual(yield* decimals, 6)
    assert.strictEqual(seen.calls, 0)
  }))

it.effect("keeps what the only endpoint of a network says, and asks it once", () =>
  Effect.gen(function*() {
    const { decimals, seen } = yield* doubling(0)
    assert.strictEqual(yield* decimals, 12)
    assert.strictEqual(yield* decimals, 12)
    assert.strictEqual(seen.calls, 1)
  }))
