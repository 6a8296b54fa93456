/** Runs a deep test of the console that measures something, and returns what it measured. */
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { promisify } from "node:util"
import { root } from "../Machine.ts"

/** Runs a test by vitest's arguments. The test writes JSON to the file that the environment's `variable` names. */
export const measuredBy = <A>(test: ReadonlyArray<string>, variable: string, file: string): Effect.Effect<A> =>
  Effect.promise(async () => {
    await promisify(execFile)(process.execPath, [Path.join(root, "node_modules/vitest/vitest.mjs"), "run", ...test], {
      cwd: Path.join(root, "packages/console"),
      env: { ...process.env, TEST_DEEP: "1", [variable]: file }
    })
    return JSON.parse(Fs.readFileSync(file, "utf8")) as A
  })
