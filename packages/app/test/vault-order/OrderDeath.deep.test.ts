/** A runner is killed repeatedly during a twap: the order continues where it was, and sells nothing twice. */
import { assert, layer } from "@effect/vitest"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, rows, Running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { until } from "@vault-trader/testing/harness/Until"
import * as Effect from "effect/Effect"

const network = "base"
const fleet = ProcessGroup.layer({
  names: ["server", "runner-1"],
  networks: [network],
  env: { WAIT_SECONDS: "1", ORDER_CHECK_SECONDS: "1" }
})

layer(fleet, { timeout: 300_000, excludeTestServices: true })("a twap", (it) => {
  it.effect("sells all of its amount once although its runner is killed at each of its slices", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { start, the } = yield* ProcessGroup.ProcessGroup
      const pool = yield* OnChain.createVault(network, 10_000n)
      const { address, apiKey } = yield* trader({ network, pool })
      const placed = succeeded(
        yield* ask("/placeOrder", {
          json: {
            ...{ apiKey, network, pool, pair: "WETH-USDC", side: "buy", type: "twap" },
            ...{ amount: "4000", duration: "60", slices: 4, max_impact: 5, expires_in: "1h" }
          }
        })
      )
      const id = String((placed["data"] as Fields)["id"])
      const begun = rows(`select slice from vault_order_slices where order_id = '${id}'`)
      for (const count of [1, 2, 3]) {
        yield* until(`slice ${count}`, Effect.map(begun, (found) => found.length >= count ? found : undefined))
        yield* the("runner-1").kill
        yield* start("runner-1")
      }
      yield* until(
        "the order's end",
        Effect.map(
          rows(`select state from vault_orders where id = '${id}'`),
          ([order]) => order?.["state"] === "done" ? order : undefined
        )
      )
      const [order] = yield* rows(`select sold::text as sold from vault_orders where id = '${id}'`)
      assert.strictEqual(order?.["sold"], "4000000000")
      assert.strictEqual(yield* OnChain.balanceOf(network, "USDC", pool), 6_000_000_000n)
      const slices = yield* rows(
        `select state, tx_hash from vault_order_slices where order_id = '${id}' and state = 'succeeded'`
      )
      assert.strictEqual(new Set(slices.map(({ tx_hash }) => tx_hash)).size, slices.length)
      assert.strictEqual(yield* OnChain.transactionCount(network, address), slices.length)
    }))
})
