/**
 * A runner is killed between an order's transaction and HyperCore's answer: the outcome is still reported, and the
 * order placed once.
 */
import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { ended } from "@vault-trader/testing/harness/Answers"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { rows, Running, trader, yieldVault } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

const network = "hyperliquid"
const fleet = ProcessGroup.layer({
  names: ["server", "runner-1"],
  networks: [network],
  env: { WAIT_SECONDS: "1", PERPETUAL_LOST_SECONDS: "60" }
})

layer(fleet, { timeout: 240_000, excludeTestServices: true })("a perpetual order", (it) => {
  it.effect("whose runner is killed before HyperCore answers is found by its client id, and nothing is sent a second time", () =>
    Effect.gen(function*() {
      const { start, the } = yield* ProcessGroup.ProcessGroup
      const { core } = yield* Devnet
      const { ask } = yield* Running
      const pool = yield* yieldVault(network)
      const by = yield* trader({ network, pool })
      const sent = OnChain.transactionCount(network, by.address)
      const about = { apiKey: by.apiKey, pool }
      const told = (id: unknown) => ended(ask, by.apiKey, id)
      const idOf = Effect.map(
        rows(`select id::text as id from intents where pool = '${pool}' order by id desc limit 1`),
        ([row]) => row?.["id"]
      )

      yield* ask("/depositToPerpetuals", { json: { ...about, amount: 1000 } })
      assert.strictEqual((yield* told(yield* idOf))["status"], "success")
      const before = yield* sent
      yield* core.hold
      const asked = yield* Effect.forkChild(
        ask("/placePerpetualOrder", { json: { ...about, coin: "ETH", side: "buy", size: 0.05 } })
      )
      yield* until("the transaction", Effect.map(sent, (now) => now > before ? now : undefined))
      yield* the("runner-1").kill
      assert.strictEqual((yield* Fiber.join(asked)).fields["status"], "pending")
      const id = yield* idOf
      assert.deepStrictEqual(yield* rows(`select status from intents where id = '${String(id)}'`), [{
        status: "submitted"
      }])
      yield* core.resume
      yield* start("runner-1")
      const { message, status } = yield* told(id)
      assert.strictEqual(status, "success", String(message))
      const { assetPositions } = (yield* core.info({ type: "clearinghouseState", user: pool })) as {
        readonly assetPositions: ReadonlyArray<{ readonly position: { readonly szi: string } }>
      }
      assert.deepStrictEqual(assetPositions.map(({ position }) => Number(position.szi)), [0.05])
      assert.strictEqual((yield* sent) - before, 1)
      assert.deepStrictEqual(yield* rows(`select count(*)::int as n from charges where intent_id = '${String(id)}'`), [{
        n: 1
      }])
    }))
})
