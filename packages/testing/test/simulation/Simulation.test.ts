import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { simulate } from "./Simulate.ts"

/** A sample for every commit; `Simulation.deep.test.ts` has the rest. */
const runs = 8

describe("a simulated run", { timeout: 1_800_000 }, () => {
  it.effect(`holds every invariant, in ${runs} runs on a chain and as many at an exchange`, () =>
    Effect.gen(function*() {
      for (const kind of [[], ["--exchange"]]) {
        const many = yield* simulate(...kind, "--seeds", String(runs), "--jobs", "2")
        assert.deepStrictEqual(many.summary.broken, [], many.output)
        assert.strictEqual(many.code, 0, many.output)
        assert.strictEqual(many.summary.runs, runs)
      }
    }))

  it.effect("has the same trace when a seed runs again", () =>
    Effect.gen(function*() {
      const { code, output, summary } = yield* simulate("--seeds", "1", "--check")
      assert.deepStrictEqual(summary.differing, [], output)
      assert.deepStrictEqual([code, summary.runs], [0, 1], output)
    }))
})
