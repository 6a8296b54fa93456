/**
 * Checks that every mutant applies to the current sources; running the simulation and the authority model against them
 * takes too long here (`npm run mutants`, `npm run mutants -- --authority`).
 */
import { assert, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { authorityMutants } from "../mutants/AuthorityMutants.ts"
import { edited } from "../mutants/Mutant.ts"
import { mutants } from "../mutants/Mutants.ts"

it.each([...mutants, ...authorityMutants])("$name", ({ edits }) => {
  assert.isAbove(edits.length, 0)
  for (const edit of edits) {
    const text = Fs.readFileSync(Path.join(import.meta.dirname, "../..", edit.file), "utf8")
    assert.notStrictEqual(edited(text, edit), text)
  }
})

it("each of the threats to executing exactly once has a mutant", () => {
  const rows = [1, 4, 5, 6, 10, 11, 16, 17, 18, 19, 20]
  assert.deepStrictEqual(rows.filter((row) => !mutants.some(({ threat }) => threat === row)), [])
})

it("each test file that a mutant names exists", () => {
  for (const { test } of mutants) {
    if (test !== undefined) assert.isTrue(Fs.existsSync(Path.join(import.meta.dirname, "../..", test)), test)
  }
})
