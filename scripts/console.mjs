/**
 * Builds the console into packages/console/dist when one of its inputs has changed. Plain Node without dependencies, as
 * install.mjs; Vite is started only when a build is needed.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fail, root } from "./install.mjs"

const folder = join(root, "packages", "console")
const stamp = join(folder, "dist", ".made-of")

/** Everything the build reads: the console, core's modules it imports, and the versions of the libraries. */
function inputs() {
  const of = (path) =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  return [
    ...of(join(folder, "src")),
    ...of(join(root, "packages", "core", "src")),
    ...["index.html", "vite.config.ts", "package.json"].map((name) => join(folder, name)),
    join(root, "package-lock.json")
  ].sort()
}

function digest() {
  const hash = createHash("sha256")
  for (const path of inputs()) hash.update(path.slice(root.length)).update("\0").update(readFileSync(path)).update("\0")
  return hash.digest("hex")
}

/** Prints one line on standard error when it builds; ends the process with Vite's output when the build fails. */
export async function buildConsole() {
  const wanted = digest()
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return
  process.stderr.write("building the console…\n")
  const vite = [
    join(root, "packages/console/node_modules/vite/bin/vite.js"),
    join(root, "node_modules/vite/bin/vite.js")
  ].find(existsSync)
  if (vite === undefined) fail("Vite is not installed; npm ci installs it.")
  const child = spawn(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production" }
  })
  const said = []
  child.stdout.on("data", (chunk) => said.push(chunk))
  child.stderr.on("data", (chunk) => said.push(chunk))
  const stop = () => child.kill()
  process.once("SIGTERM", stop)
  const [code] = await once(child, "close")
  process.off("SIGTERM", stop)
  if (code !== 0) {
    process.stderr.write(Buffer.concat(said))
    fail("The console could not be built; see Vite's output above.")
  }
  await writeFile(stamp, wanted)
}
