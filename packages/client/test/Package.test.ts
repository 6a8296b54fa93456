import { assert, describe, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { build, execute, inTemporaryFolder, packageFolder, tool } from "./Build.ts"

const read = (path: string) => Fs.readFileSync(Path.join(packageFolder, path), "utf8")

describe("the package", () => {
  it("has no dependency at run time, and imports nothing but its own files", () => {
    const manifest = JSON.parse(read("package.json"))
    for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies"]) {
      assert.notProperty(manifest, kind)
    }
    for (const file of Fs.readdirSync(Path.join(packageFolder, "src"), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts")) continue
      for (const [, specifier] of read(`src/${file}`).matchAll(/^(?:import|export) .*from "(.*)"$/gm)) {
        assert.match(specifier ?? "", /^\.\.?\//, file)
      }
    }
  })

  it("has the license of the project", () => {
    assert.strictEqual(read("LICENSE"), read("../../LICENSE"))
  })

  it("passes publint and attw when it is built, and packs nothing but the build", () =>
    inTemporaryFolder(async (folder) => {
      const { built, tarball } = await build(folder)
      const lint = await execute(process.execPath, [
        tool("publint/src/cli.js"),
        "run",
        built,
        "--strict",
        "--pack",
        "npm"
      ])
      assert.include(lint.stdout, "All good!")
      const flags = ["--profile", "esm-only", "--format", "ascii", "--no-emoji", "--no-color"]
      const types = await execute(process.execPath, [tool("@arethetypeswrong/cli/dist/index.js"), tarball, ...flags])
      assert.include(types.stdout, "node16 (from ESM): OK (ESM)")
      const files = (await execute("tar", ["-tzf", tarball])).stdout.trim().split("\n")
      for (const file of files) assert.match(file, /^package\/(dist\/.*\.(js|d\.ts)|package\.json|README\.md|LICENSE)$/)
    }))
})
