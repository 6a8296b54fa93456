/**
 * A runner is killed repeatedly during an index's rebalance: the run continues where it was, and does nothing twice.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { rows } from "@vault-trader/testing/harness/Harness"
import { ended, list, network, scene, weights } from "@vault-trader/testing/harness/IndexSetup"
import { until } from "@vault-trader/testing/harness/Until"

const fleet = ProcessGroup.layer({ names: ["server", "runner-1"], networks: [network], env: { WAIT_SECONDS: "1" } })

layer(fleet, { timeout: 240_000, excludeTestServices: true })("a rebalance", (it) => {
  it.effect("completes although its runner is killed at each of its trades", () =>
    Effect.gen(function*() {
      const { start, the } = yield* ProcessGroup.ProcessGroup
      const { bot, of, pool, runs, sent, set } = yield* scene()
      succeeded(yield* set())
      const asking = yield* Effect.forkChild(of("/rebalancePool", { execute: true }))
      for (const count of [1, 2, 3]) {
        yield* until(
          `trade ${count}`,
          Effect.map(runs, ([run]) => Number(run?.["legs"]) >= count || run?.["state"] === "done" ? run : undefined)
        )
        yield* the("runner-1").kill
        yield* start("runner-1")
      }
      const asked = yield* Fiber.join(asking)
      assert.include(["pending", "success"], String(asked.fields["status"]), asked.text)
      const [run] = yield* ended(pool, 1)
      assert.strictEqual(run?.["state"], "done", String(run?.["message"]))
      const { trades } = (yield* bot)["last_run"] as { readonly trades: unknown }
      assert.deepStrictEqual(list(trades).map(({ asset, status }) => [asset, status]), [["WETH", "success"], [
        "WBTC",
        "success"
      ], ["DAI", "success"]])
      assert.strictEqual(yield* sent, 3)
      const reached = yield* weights(pool)
      for (const [symbol, weight] of [["WETH", 40], ["WBTC", 30], ["DAI", 20]] as const) {
        assert.approximately(reached[symbol] ?? 0, weight, 0.5, symbol)
      }
      assert.deepStrictEqual(
        yield* rows(
          `select count(*)::int as n from charges c join intents i on i.id = c.intent_id where i.pool = '${pool}'`
        ),
        [{ n: 3 }]
      )
    }))

  it.effect("that fell due while no runner lived happens once when one is started", () =>
    Effect.gen(function*() {
      const { start, the } = yield* ProcessGroup.ProcessGroup
      const { pool, runs, sent, set } = yield* scene()
      const targets = [{ asset: "WETH", weight: 50 }, { asset: "USDC", weight: 50 }]
      succeeded(yield* set({ targets, interval: 60 }))
      yield* the("runner-1").kill
      yield* rows(
        `update index_bots set enabled = true, next_run_at = now() - interval '10 minutes' where pool = '${pool}'`
      )
      yield* start("runner-1")
      yield* ended(pool, 1)
      assert.deepStrictEqual((yield* runs).map(({ legs, reason, state }) => [reason, state, legs]), [[
        "scheduled",
        "done",
        1
      ]])
      assert.strictEqual(yield* sent, 1)
    }))
})
