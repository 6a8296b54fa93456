import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { exchangeKinds, kinds } from "../../src/simulation/FaultCounts.ts"
import type { Totals } from "../../src/simulation/Summary.ts"

const run = fileURLToPath(new URL("../../../../scripts/run.mjs", import.meta.url))

/** `npm run simulate` as a developer runs it: what it wrote, and its totals, which are the last line. */
const simulate = (...args: ReadonlyArray<string>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => spawn(process.execPath, [run, "simulate", ...args, "--json"], { stdio: ["ignore", "pipe", "pipe"] })),
    (child) =>
      Effect.promise(async () => {
        let said = ""
        for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => { said += text })
        const [code] = await once(child, "close") as [number | null]
        const [last = ""] = said.trimEnd().split("\n").slice(-1)
        assert.isTrue(last.startsWith("{"), said)
        // The program's own totals, written by the line before.
        return { code, said, totals: JSON.parse(last) as Totals }
      }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

const lives = 200

const exchangeLives = 100

describe("a simulated life of exchange bots", { timeout: 1_800_000 }, () => {
  it.effect(`ends with ledger and exchange equal, in ${exchangeLives} lives in which everything goes wrong that can`, () =>
    Effect.gen(function*() {
      const many = yield* simulate("--exchange", "--seeds", String(exchangeLives), "--jobs", "2")
      assert.deepStrictEqual(many.totals.broken, [], many.said)
      assert.strictEqual(many.code, 0, many.said)
      assert.strictEqual(many.totals.lives, exchangeLives)
      assert.deepStrictEqual(exchangeKinds.filter((kind) => (many.totals.faults[kind] ?? 0) === 0), [], "these faults never happened")
    }))
})

describe("a simulated life", { timeout: 1_800_000 }, () => {
  it.effect(`keeps every promise, in ${lives} lives in which everything goes wrong that can`, () =>
    Effect.gen(function*() {
      const many = yield* simulate("--seeds", String(lives), "--from", "1", "--jobs", "2")
      // A broken promise is in what was written, with the command that replays it.
      assert.deepStrictEqual(many.totals.broken, [], many.said)
      assert.strictEqual(many.code, 0, many.said)
      assert.strictEqual(many.totals.lives, lives)
      assert.deepStrictEqual(kinds.filter((kind) => (many.totals.faults[kind] ?? 0) === 0), [], "these faults never happened")
      const neverEnded = Object.entries(many.totals.points).filter(([, { ended, passed }]) => passed >= 500 && ended === 0)
      assert.deepStrictEqual(neverEnded, [], "no runner or actor ever ended at these writes")
      // The last of them again, alone in its process, and twice.
      const alone = yield* simulate("--seeds", "1", "--from", String(lives), "--check")
      assert.deepStrictEqual(alone.totals.differing, [], alone.said)
      assert.strictEqual(alone.totals.digests[lives], many.totals.digests[lives])
    }))
})
