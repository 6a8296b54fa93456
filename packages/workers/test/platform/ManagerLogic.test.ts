import { assert, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as ManagerLogic from "../../src/platform/ManagerLogic.ts"
import { answering, assertForgotten, assertOutvoted, networkOf } from "../chain/LyingEndpoint.ts"
import { clientOf } from "../chain/TestClient.ts"

const manager: Address = "0x00000000000000000000000000000000000000aa"

/** A vault, and the lie that its manager contract is another vault's. */
const misled = Effect.gen(function*() {
  const chain = yield* TestChain.make({ network: "base" })
  const { managerLogic, pool } = yield* chain.createVault({ manager })
  const other = yield* chain.createVault({ manager })
  yield* chain.mine(3)
  return {
    ...{ chain, managerLogic, pool, other: other.managerLogic },
    lie: answering({ of: "poolManagerLogic()", at: pool }, other.managerLogic)
  }
})

it.effect("a vault's manager contract is none that one endpoint alone names", () =>
  Effect.gen(function*() {
    const { chain, lie, managerLogic, pool } = yield* misled
    yield* assertOutvoted(networkOf(chain), lie, (client) => ManagerLogic.cachedConfirmed(client, pool))
    assert.strictEqual(yield* ManagerLogic.cachedConfirmed(yield* clientOf(chain), pool), managerLogic)
  }))

it.effect("a manager contract that one endpoint has named while the others were silent is not kept", () =>
  Effect.gen(function*() {
    const { chain, lie, managerLogic, other, pool } = yield* misled
    yield* assertForgotten(networkOf(chain), lie, {
      keep: (client) => Effect.succeed(ManagerLogic.cachedConfirmed(client, pool)),
      lied: other,
      silence: () => true,
      truth: managerLogic
    })
  }))
