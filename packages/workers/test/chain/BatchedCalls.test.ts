import { assert, it } from "@effect/vitest"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Contract from "../../src/chain/Contract.ts"
import { multicall3Abi } from "../../src/chain/Multicall3.ts"
import { clientOver, endpointOf } from "./TestClient.ts"

for (const answer of ["0x", `0x${"0".repeat(63)}1`, "0xffffff"]) {
  it.effect(`reads many values: an answer that no Multicall3 gives (${answer.slice(0, 10)}) is a refusal`, () =>
    Effect.gen(function*() {
      const chain = yield* TestChain.make({ network: "base", seed: 1 })
      const endpoint = endpointOf(
        "without-contracts",
        (method, params) => method === "eth_call" ? Effect.succeed(answer) : chain.request(method, params)
      )
      const client = yield* clientOver(chain, [endpoint])
      const { multicall3 } = chain.book({})
      const refusal = yield* Effect.flip(
        client.readAll([Contract.read(multicall3Abi, multicall3, "getBlockNumber", [])])
      )
      assert.strictEqual(refusal._tag, "RpcRefused")
      assert.include(refusal._tag === "RpcRefused" ? refusal.reason : "", `there is no Multicall3 at ${multicall3}`)
    }))
}
