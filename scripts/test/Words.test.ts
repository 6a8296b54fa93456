/** Tests of `npm run words`, each over one temporary file. */
import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "../RepositoryCopy.ts"

/** Returns the check's output for a file with this text. */
const outputFor = (name: string, text: string): string => {
  Fs.mkdirSync(Path.join(root, ".cache"), { recursive: true })
  const folder = Fs.mkdtempSync(Path.join(root, ".cache", "words-"))
  try {
    Fs.writeFileSync(Path.join(folder, name), text)
    const file = Path.relative(root, Path.join(folder, name))
    const { stderr, stdout } = spawnSync(process.execPath, ["scripts/words.mjs", file], { cwd: root, encoding: "utf8" })
    return `${stderr}${stdout}`.replaceAll(`${file}:`, "")
  } finally {
    Fs.rmSync(folder, { recursive: true, force: true })
  }
}

it("finds listed words in comments, strings and documents, and not in identifiers", () => {
  assert.include(outputFor("A.ts", "/** Reads it anew. */\nexport const told = 1\n"), "1: anew → again")
  assert.include(outputFor("A.ts", "export const text = `nobody knows`\n"), "1: nobody → name the actor")
  assert.include(outputFor("A.md", "# A\n\nIt is under way.\n"), "3: under way → in progress")
  assert.include(outputFor("A.ts", "export const told = 1\n"), "1 files, 0 findings")
})

it("finds comments that open without a verb or a noun", () => {
  assert.include(outputFor("A.ts", "/** What the wallet may do. */\nexport const a = 1\n"), `"What …" opens a comment`)
})

it("finds long lines of documents, except in tables and code", () => {
  const long = "word ".repeat(25).trim()
  assert.include(outputFor("A.md", `# A\n\n${long}\n`), "3: 124 columns → at most 100")
  assert.include(outputFor("A.md", `# A\n\n| ${long} |\n\n\`\`\`sh\n${long}\n\`\`\`\n`), "0 findings")
})
