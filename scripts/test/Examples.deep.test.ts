/** Type-checks the examples in the comments of the packages' sources. */
import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "../RepositoryCopy.ts"

const packages = Path.join(root, "packages")

const sources = Fs.readdirSync(packages).flatMap((name) => {
  const folder = Path.join(packages, name, "src")
  return Fs.readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => Path.join(folder, file))
})

/** Returns the code of each `@example` in a comment. */
const examplesOf = (file: string): ReadonlyArray<string> =>
  Array.from(
    Fs.readFileSync(file, "utf8").matchAll(/@example\n \* ```ts\n(.*?)^ \* ```$/gms),
    ([, code]) => (code ?? "").replace(/^ \* ?/gm, "")
  )

it("the examples of the public makers compile", () => {
  Fs.mkdirSync(Path.join(root, ".cache"), { recursive: true })
  const folder = Fs.mkdtempSync(Path.join(root, ".cache", "examples-"))
  try {
    const files = sources.flatMap((file) =>
      examplesOf(file).map((code, index) => {
        const name = `${Path.basename(file, ".ts")}${index + 1}.ts`
        Fs.writeFileSync(Path.join(folder, name), `${code}\nexport {}\n`)
        return name
      })
    )
    assert.includeMembers(files, ["Endpoint1.ts", "Param1.ts", "Setting1.ts", "Batcher1.ts", "Venue1.ts", "Action1.ts"])
    const compilerOptions = { composite: false, declaration: false, emitDeclarationOnly: false, noEmit: true }
    Fs.writeFileSync(
      Path.join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: "../../tsconfig.base.json",
        compilerOptions: { ...compilerOptions, incremental: false },
        include: ["*.ts"]
      })
    )
    const { status, stdout } = spawnSync(
      process.execPath,
      [Path.join(root, "node_modules/typescript/bin/tsc"), "-p", folder],
      { encoding: "utf8" }
    )
    assert.strictEqual(status, 0, stdout)
  } finally {
    Fs.rmSync(folder, { recursive: true, force: true })
  }
}, 600_000)
