import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Metrics from "../../src/telemetry/Metrics.ts"
import { text } from "../../src/telemetry/Prometheus.ts"

/** Returns the lines of one metric. */
const linesOf = (name: string) =>
  Effect.map(Metric.snapshot, (snapshot) => text(snapshot).split("\n").filter((line) => line.includes(name)))

describe("Prometheus", () => {
  it.effect("lists a histogram's buckets in the order of their bounds, the last of which is +Inf", () =>
    Effect.gen(function*() {
      const histogram = Metric.histogram("vault_trader_test_seconds", {
        boundaries: Metric.boundariesFromIterable([0.5, 2, 10, 100]),
        description: "Seconds."
      })
      for (const value of [0.1, 5, 50, 500]) yield* Metrics.observe(histogram, { network: "base" }, value)
      assert.deepStrictEqual(yield* linesOf("vault_trader_test_seconds"), [
        "# HELP vault_trader_test_seconds Seconds.",
        "# TYPE vault_trader_test_seconds histogram",
        `vault_trader_test_seconds_bucket{network="base",le="0.5"} 1`,
        `vault_trader_test_seconds_bucket{network="base",le="2"} 1`,
        `vault_trader_test_seconds_bucket{network="base",le="10"} 2`,
        `vault_trader_test_seconds_bucket{network="base",le="100"} 3`,
        `vault_trader_test_seconds_bucket{network="base",le="+Inf"} 4`,
        `vault_trader_test_seconds_sum{network="base"} 555.1`,
        `vault_trader_test_seconds_count{network="base"} 4`
      ])
    }))

  it.effect("escapes labels and descriptions", () =>
    Effect.gen(function*() {
      const counter = Metric.counter("vault_trader_test_total", { description: "One\nline \\ of text." })
      yield* Metrics.count(counter, { reason: "said \"no\"\n\\" })
      assert.deepStrictEqual(yield* linesOf("vault_trader_test_total"), [
        "# HELP vault_trader_test_total One\\nline \\\\ of text.",
        "# TYPE vault_trader_test_total counter",
        `vault_trader_test_total{reason="said \\"no\\"\\n\\\\"} 1`
      ])
    }))

  it.effect("shows a declared series at zero before its first event", () =>
    Effect.gen(function*() {
      yield* Metrics.declare(["hyperliquid"])
      const lines = yield* linesOf(`network="hyperliquid"`)
      for (
        const line of [
          `vault_trader_foreign_nonces_total{network="hyperliquid"} 0`,
          `vault_trader_intents_total{network="hyperliquid",outcome="insufficient_gas"} 0`,
          `vault_trader_signatures_total{network="hyperliquid",kind="replacement"} 0`,
          `vault_trader_seconds_to_mine_count{network="hyperliquid"} 0`,
          `vault_trader_lane_depth{network="hyperliquid",state="waiting_for_gas"} 0`
        ]
      ) assert.include(lines, line)
    }))
})
