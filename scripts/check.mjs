/**
 * `npm run check`: type-checks every project of the root tsconfig.json with `tsc -b`, and runs the diagnostics of
 * @effect/language-service in the same pass: floating effects, missing requirements and errors, `yield` without its
 * star. Their errors and warnings fail. The compiler with these diagnostics is a patched copy in .cache/typescript.
 */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./install.mjs"

const { status } = spawnSync(process.execPath, [join(compiler(), "lib/tsc.js"), "-b", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit"
})
process.exitCode = status ?? 1

/** Returns the folder of the patched compiler; makes it where it is missing or of other versions. */
function compiler() {
  const versionOf = (name) => JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version
  const versions = `${versionOf("typescript")} ${versionOf("@effect/language-service")}`
  const folder = join(root, ".cache", "typescript")
  const done = join(folder, "patched")
  if (existsSync(done) && readFileSync(done, "utf8") === versions) return folder
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(root, "node_modules/typescript"), folder, { recursive: true })
  const cli = join(root, "node_modules/@effect/language-service/cli.js")
  const patch = spawnSync(process.execPath, [cli, "patch", "--module", "tsc", "--dir", folder], { cwd: root })
  if (patch.status !== 0) throw new Error(`the compiler could not be patched:\n${patch.stdout}${patch.stderr}`)
  writeFileSync(done, versions)
  return folder
}
