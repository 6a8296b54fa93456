import { assert, it } from "@effect/vitest"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { blockNumberIn, blockNumberReads } from "../../src/chain/Multicall3.ts"
import { clientOf } from "./TestClient.ts"

it.effect("the block's number is the network's own, on arbitrum from its system contract where that exists", () =>
  Effect.gen(function*() {
    for (const [network, reads] of [["base", 1], ["arbitrum", 2]] as const) {
      const chain = yield* TestChain.make({ network })
      yield* chain.mine(3)
      const client = yield* clientOf(chain)
      const calls = blockNumberReads(client.book)
      assert.lengthOf(calls, reads)
      // The chain of this test has no system contract, as a devnet has none.
      assert.strictEqual(blockNumberIn(yield* client.readAll(calls)), (yield* chain.head).number)
    }
    const [ofEthereum, own] = [Result.succeed(23_000_000n), Result.succeed(400_000_000n)]
    assert.strictEqual(blockNumberIn([ofEthereum, own]), 400_000_000n)
    assert.strictEqual(blockNumberIn([ofEthereum, Result.fail("no contract")]), 23_000_000n)
    assert.strictEqual(blockNumberIn([Result.fail("no contract"), own]), 400_000_000n)
    assert.isUndefined(blockNumberIn([Result.fail("no contract")]))
  }))
