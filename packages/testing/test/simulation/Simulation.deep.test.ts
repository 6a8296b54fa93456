import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engineSupport } from "../../src/simulation/EngineSupport.ts"
import { exchangeKinds, kinds, plus } from "../../src/simulation/FaultCounts.ts"
import { simulate } from "./Simulate.ts"

const runs = 100

/** These draw faults that few of the others have, in most runs. */
const rareRuns = 20

const exchangeRuns = 60

/** Restores happen only with an engine that reconciles its rows with the chain. */
const isPossible = (kind: string) => engineSupport.restore || !kind.endsWith("restored")

describe("a simulated run of exchange bots", { timeout: 1_800_000 }, () => {
  it.effect(`ends with ledger and exchange equal, in ${exchangeRuns} runs with every kind of fault`, () =>
    Effect.gen(function*() {
      const many = yield* simulate("--exchange", "--seeds", String(exchangeRuns), "--jobs", "2")
      assert.deepStrictEqual(many.summary.broken, [], many.output)
      assert.strictEqual(many.code, 0, many.output)
      assert.strictEqual(many.summary.runs, exchangeRuns)
      assert.deepStrictEqual(
        exchangeKinds.filter((kind) => (many.summary.faults[kind] ?? 0) === 0),
        [],
        "these faults never happened"
      )
    }))
})

describe("a simulated run", { timeout: 1_800_000 }, () => {
  it.effect(`holds every invariant, in ${runs} runs and ${rareRuns} of rare faults, with every kind of fault`, () =>
    Effect.gen(function*() {
      const many = yield* simulate("--seeds", String(runs), "--from", "1", "--jobs", "2")
      const rare = yield* simulate("--rare", "--seeds", String(rareRuns), "--from", "1", "--jobs", "2")
      // A violated invariant is in the output, with the command that replays it.
      for (const { code, output, summary } of [many, rare]) {
        assert.deepStrictEqual(summary.broken, [], output)
        assert.strictEqual(code, 0, output)
      }
      assert.strictEqual(many.summary.runs, runs)
      assert.strictEqual(rare.summary.runs, rareRuns)
      const faults = plus(many.summary.faults, rare.summary.faults)
      assert.deepStrictEqual(
        kinds.filter((kind) => (faults[kind] ?? 0) === 0 && isPossible(kind)),
        [],
        "these faults never happened"
      )
      const neverEnded = Object.entries(many.summary.points).filter(([, { ended, passed }]) =>
        passed >= 500 && ended === 0
      )
      assert.deepStrictEqual(neverEnded, [], "no runner or actor ever ended at these writes")
      // The last seed again, alone in its process, and twice.
      const alone = yield* simulate("--seeds", "1", "--from", String(runs), "--check")
      assert.deepStrictEqual(alone.summary.differing, [], alone.output)
      assert.strictEqual(alone.summary.digests[runs], many.summary.digests[runs])
    }))
})
