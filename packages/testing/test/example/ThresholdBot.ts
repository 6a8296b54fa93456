/** The test of a threshold bot: it trades to its side, and back after another trade. */
import { assert } from "@effect/vitest"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"
import * as Effect from "effect/Effect"

/** Lets time pass until `check` returns true, for a minute at most. */
const eventually = <E>(check: Effect.Effect<boolean, E>) =>
  Effect.gen(function*() {
    const { advance } = yield* VaultTraderTest
    for (let left = 60; left > 0; left--) {
      if (yield* check) return
      yield* advance("1 second")
    }
    assert.fail("waited a minute")
  })

/** Tests the bot on whichever service is provided. */
export const keepsItsSide = Effect.gen(function*() {
  const { call, vault } = yield* VaultTraderTest
  const { apiKey, network, pool } = yield* vault({ USDC: "10000" })
  const usdc = Effect.map(call("poolComposition", { apiKey, network, pool }), ({ composition }) => {
    const lines = composition as ReadonlyArray<{ symbol: string; amount: string }>
    return Number(lines.find(({ symbol }) => symbol === "USDC")?.amount ?? 0)
  })

  yield* call("setBot", { apiKey, network, pool, pair: "WETH-USDC", side: "long" })
  yield* eventually(Effect.map(usdc, (amount) => amount === 0))

  yield* call("vaultTrade", { apiKey, network, pool, from: "WETH", to: "USDC", share: 50 })
  assert.isAbove(yield* usdc, 4000)
  yield* eventually(Effect.map(usdc, (amount) => amount === 0))

  const { intents } = yield* call("getIntents", { apiKey, network, pool })
  const traded = (intents as ReadonlyArray<{ status: string; tx_hash: string | null }>).filter(({ tx_hash }) => tx_hash)
  assert.strictEqual(traded.length, 3)
})
