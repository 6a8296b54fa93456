/**
 * `npm run check`: type-checks every project of the root tsconfig.json with `tsc -b`, and runs Effect's diagnostics
 * in the same pass: floating effects, missing requirements and errors, `yield` without its star. Their errors and
 * warnings fail. The compiler is TypeScript's native one with these diagnostics, from @effect/tsgo; it looks for the
 * declarations of the language beside itself, so both are copied to .cache/typescript. Where @effect/tsgo is not
 * installed, which is everywhere but on Linux x64, the types alone are checked.
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fail, root } from "./install.mjs"

const { error, status } = spawnSync(compiler(), ["-b", ...process.argv.slice(2)], { cwd: root, stdio: "inherit" })
if (error !== undefined) throw error
process.exitCode = status ?? 1

/** Returns the path of the compiler; makes its folder where it is missing or of other versions. */
function compiler() {
  const modules = join(root, "node_modules")
  const platform = `${process.platform}-${process.arch}`
  const file = process.platform === "win32" ? "tsc.exe" : "tsc"
  const versionOf = (name) => JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8")).version
  const typescript = versionOf("@typescript/native")
  const plain = join(modules, `@typescript/typescript-${platform}`, "lib")
  const tsgo = `@effect/tsgo-${platform}`
  if (!existsSync(join(modules, tsgo))) {
    process.stderr.write(`${tsgo} is not installed: Effect's diagnostics are not checked.\n`)
    return join(plain, file)
  }

  const folder = join(root, ".cache", "typescript")
  const versions = `${typescript} ${versionOf(tsgo)}`
  const done = join(folder, "versions")
  if (existsSync(done) && readFileSync(done, "utf8") === versions) return join(folder, file)
  const executable = join(modules, tsgo, "artifacts", "typescript", typescript, file)
  if (!existsSync(executable)) fail(`${tsgo} has no compiler for TypeScript ${typescript}.`)
  rmSync(folder, { recursive: true, force: true })
  cpSync(plain, folder, { recursive: true, filter: (path) => !path.endsWith(file) })
  copyFileSync(executable, join(folder, file))
  writeFileSync(done, versions)
  return join(folder, file)
}
