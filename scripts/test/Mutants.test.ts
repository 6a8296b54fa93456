/** Checks that every mutant applies to the current sources; running the simulation against them takes too long here (`npm run mutants`). */
import { assert, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { mutants } from "../mutants/Mutants.ts"

it.each(mutants)("$name", ({ edits }) => {
  assert.isAbove(edits.length, 0)
  for (const { file, from, to } of edits) {
    const text = Fs.readFileSync(Path.join(import.meta.dirname, "../..", file), "utf8")
    assert.strictEqual(text.split(from).length - 1, 1, `${file} has this once:\n${from}`)
    assert.notStrictEqual(to, from)
  }
})
