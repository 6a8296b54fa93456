import { assert, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as FollowerReading from "../../src/follower/FollowerReading.ts"
import { answering, assertOutvoted, networkOf } from "../chain/LyingEndpoint.ts"

const manager: Address = "0x00000000000000000000000000000000000000aa"

it.effect("takes no vault for a plain address by the word of one endpoint alone", () =>
  Effect.gen(function*() {
    const chain = yield* TestChain.make({ network: "base" })
    const { pool } = yield* chain.createVault({ manager, holdings: {} })
    yield* chain.mine(3)
    const truth = yield* assertOutvoted(
      networkOf(chain),
      answering({ of: "isPool(address)", about: pool }, 0n),
      (client) => FollowerReading.kindOf({ chain: client }, pool)
    )
    assert.deepStrictEqual(truth, Result.succeed("vault"))
  }))
