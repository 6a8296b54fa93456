/**
 * Builds the console into packages/console/dist when one of its inputs has changed. Plain Node without dependencies, as
 * install.mjs; Vite is started only when a build is needed.
 */
import { existsSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fail, root } from "./install.mjs"
import { digestOf, filesBelow, runTool } from "./tool.mjs"

const folder = join(root, "packages", "console")
const stamp = join(folder, "dist", ".made-of")

/** Everything the build reads: the console, core's modules it imports, and the versions of the libraries. */
const inputs = () => [
  ...filesBelow(join(folder, "src")),
  ...filesBelow(join(root, "packages", "core", "src")),
  ...filesBelow(join(folder, "public")),
  ...["index.html", "service-worker.js", "vite.config.ts", "package.json"].map((name) => join(folder, name)),
  join(root, "package-lock.json")
]

/** Prints one line on standard error when it builds; ends the process with Vite's output when the build fails. */
export async function buildConsole() {
  const wanted = digestOf(inputs())
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return
  process.stderr.write("building the console…\n")
  const vite = [
    join(root, "packages/console/node_modules/vite/bin/vite.js"),
    join(root, "node_modules/vite/bin/vite.js")
  ].find(existsSync)
  if (vite === undefined) fail("Vite is not installed; npm ci installs it.")
  await runTool([vite, "build", "--logLevel", "warn"], {
    cwd: folder,
    failed: "The console could not be built; see Vite's output above."
  })
  await writeFile(stamp, wanted)
}
