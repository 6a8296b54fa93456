/**
 * Applies the code blocks of AGENTS.md, "Adding an endpoint", to a copy of the repository, and checks that nothing else
 * is needed for a read and for a write.
 */
import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { copyTo, root } from "../RepositoryCopy.ts"

interface Edit {
  readonly file: string
  /** The text with which the line begins that follows the code; absent for a new file. */
  readonly before: string | undefined
  readonly code: string
}

/** Reads the edits of a code block: each begins with a comment that names its file. */
const editsOf = (block: string): ReadonlyArray<Edit> =>
  block.split(/^(?=\/\/ packages\/)/m).map((part) => {
    const [, file, before] = /^\/\/ (packages\/\S+), (?:a new file|before (.+))$/m.exec(part) ?? []
    assert.isDefined(file, `a comment with a file in:\n${part}`)
    return { file, before, code: part.slice(part.indexOf("\n") + 1) }
  })

const recipe = (() => {
  const text = Fs.readFileSync(Path.join(root, "AGENTS.md"), "utf8")
  const section = /^## Adding an endpoint.*?(?=^## )/ms.exec(text)?.[0] ?? ""
  return Array.from(section.matchAll(/^```ts\n(.*?)^```$/gms), ([, block]) => editsOf(block ?? ""))
})()

const apply = (folder: string, { before, code, file }: Edit) => {
  const path = Path.join(folder, file)
  if (before === undefined) {
    assert.isFalse(Fs.existsSync(path), `${file} exists already`)
    return Fs.writeFileSync(path, code)
  }
  const lines = Fs.readFileSync(path, "utf8").split("\n")
  const places = lines.flatMap((line, index) => line.trimStart().startsWith(before) ? [index] : [])
  assert.lengthOf(places, 1, `lines of ${file} that begin with ${before}`)
  // Replaces the file, in case the copy links to the original.
  Fs.rmSync(path)
  Fs.writeFileSync(path, [...lines.slice(0, places[0]), code.trimEnd(), ...lines.slice(places[0])].join("\n"))
}

const run = (folder: string, workspace: string, ...args: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, args, {
    cwd: Path.join(folder, workspace),
    encoding: "utf8",
    // The tests in the copy are not deep, and are not workers of this run.
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1" }
  })
  assert.strictEqual(status, 0, `${args.join(" ")} in ${workspace}:\n${stdout.slice(-4000)}${stderr.slice(-2000)}`)
}

const module = (folder: string, path: string) => Path.join(folder, "node_modules", path)

it(
  "AGENTS.md's recipe adds a read by two files, and a write by its parts and one line in the union and the table",
  () => {
    const [read = [], write = []] = recipe
    assert.lengthOf(recipe, 2)
    assert.lengthOf(new Set(read.map(({ file }) => file)), 2)
    Fs.mkdirSync(Path.join(root, ".cache"), { recursive: true })
    const folder = Fs.mkdtempSync(Path.join(root, ".cache", "recipe-"))
    try {
      copyTo(folder, ["docs", "AGENTS.md"])
      for (const edit of [...read, ...write]) apply(folder, edit)
      run(folder, ".", module(folder, "@typescript/native/bin/tsc"), "-b", "packages/core/test", "packages/app/test")
      run(folder, ".", "packages/app/src/bin/docs.ts")
      run(folder, "packages/core", module(folder, "vitest/vitest.mjs"), "run", "test/Catalogue.test.ts")
      run(folder, "packages/app", module(folder, "vitest/vitest.mjs"), "run", "test/endpoint/ApiDocument.test.ts")
      const document = Fs.readFileSync(Path.join(folder, "docs/api.md"), "utf8")
      for (const name of ["getDecimals", "revoke"]) assert.include(document, `| \`${name}\` |`)
    } finally {
      Fs.rmSync(folder, { recursive: true, force: true })
    }
  },
  1_200_000
)
