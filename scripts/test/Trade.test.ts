import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { rows, Running, running, trader } from "./Harness.ts"

layer(running(), { timeout: 60_000, excludeTestServices: true })("a trade over HTTP", (it) => {
  it.effect("sells what was asked, is charged once, and the chain has the transaction the answer names", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const { apiKey, pool } = yield* trader()
      const answer = yield* ask("/vaultTrade", { query: { apiKey, pool, network: "base", from: "USDC", to: "WETH", amount: "250.5" } })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.strictEqual(answer.fields["status"], "success")
      const rpc = yield* Effect.orDie(devnet.rpc("base"))
      const receipt = yield* Effect.orDie(rpc.receipt(answer.fields["tx_hash"] as `0x${string}`))
      assert.isTrue(Option.isSome(receipt))
      const [charge] = yield* rows("select usd::float8 as usd from charges")
      assert.deepStrictEqual(charge, { usd: 0.1 })
    }))
})
