/** The documentation site as `npm run build -- docs` writes it. */
import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { root } from "../RepositoryCopy.ts"

it("has a page for each document, a search, and no script that the policy of its pages refuses", () => {
  const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-documentation-"))
  try {
    const words = [Path.join(root, "scripts/run.mjs"), "build", "docs", "--out", folder, "--base", "/manual/"]
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" })
    assert.strictEqual(status, 0, stderr)
    const names = Fs.readdirSync(folder, { recursive: true, encoding: "utf8" })
    const sources = Fs.readdirSync(Path.join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && name !== "README.md")
    assert.includeMembers(names, [
      ...sources.map((name) => name.replace(/\.md$/, ".html")),
      "index.html",
      "glossary.html"
    ])
    assert.isTrue(names.some((name) => name.includes("localSearchIndex")), "the index of the search")
    for (const name of names.filter((each) => each.endsWith(".html"))) {
      const text = Fs.readFileSync(Path.join(folder, name), "utf8")
      for (const [tag] of text.matchAll(/<script[^>]*>/g)) assert.match(tag, / src="\/manual\/assets\//, name)
      assert.notMatch(text, / on(click|load|error)="/, name)
    }
  } finally {
    Fs.rmSync(folder, { recursive: true, force: true })
  }
}, 300_000)
