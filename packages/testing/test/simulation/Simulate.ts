import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Summary } from "../../src/simulation/Summary.ts"

const run = fileURLToPath(new URL("../../../../scripts/run.mjs", import.meta.url))

/**
 * Runs `npm run simulate` as a developer does. Returns its exit code, its output, and the summary, which is the last
 * line.
 */
export const simulate = (...args: ReadonlyArray<string>) =>
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
