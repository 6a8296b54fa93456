import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { exchangeKinds, kinds } from "../../src/simulation/FaultCounts.ts"
import type { Summary } from "../../src/simulation/Summary.ts"

const run = fileURLToPath(new URL("../../../../scripts/run.mjs", import.meta.url))

/**
 * Runs `npm run simulate` as a developer does. Returns its exit code, its output, and the summary, which is the last
 * line.
 */
const simulate = (...args: ReadonlyArray<string>) =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      spawn(process.execPath, [run, "simulate", ...args, "--json"], { stdio: ["ignore", "pipe", "pipe"] })
    ),
    (child) =>
      Effect.promise(async () => {
        let output = ""
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding("utf8").on("data", (text: string) => {
            output += text
          })
        }
        const [code] = await once(child, "close") as [number | null]
        const [last = ""] = output.trimEnd().split("\n").slice(-1)
        assert.isTrue(last.startsWith("{"), output)
        // The program's own summary, written by this package.
        return { code, output, summary: JSON.parse(last) as Summary }
      }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

const runs = 200

const exchangeRuns = 100

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
  it.effect(`holds every invariant, in ${runs} runs with every kind of fault`, () =>
    Effect.gen(function*() {
      const many = yield* simulate("--seeds", String(runs), "--from", "1", "--jobs", "2")
      // A violated invariant is in the output, with the command that replays it.
      assert.deepStrictEqual(many.summary.broken, [], many.output)
      assert.strictEqual(many.code, 0, many.output)
      assert.strictEqual(many.summary.runs, runs)
      assert.deepStrictEqual(
        kinds.filter((kind) => (many.summary.faults[kind] ?? 0) === 0),
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
