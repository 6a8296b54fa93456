/**
 * Makes a fresh clone runnable: the required Node, and the dependencies of package-lock.json. Plain Node without
 * dependencies, because it runs before any are installed.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Folder of the clone, without a trailing slash. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "")

const leastNode = [20, 19]

/** Ends the process with one sentence when this Node is too old even to install; `handOver` finds the required one. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  if (major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])) return
  fail(`Vault Trader needs Node ${leastNode.join(".")} or newer; this is Node ${process.versions.node}.`)
}

/**
 * Installs with `npm ci` unless node_modules matches package-lock.json. Prints one line on standard error when it
 * installs.
 */
export async function installMissing() {
  if (await isInstalled()) return
  process.stderr.write("installing dependencies…\n")
  // The compiler and the platform binaries are required, even if NODE_ENV or the user's npm configuration omits them.
  const flags = ["--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"]
  const npm = spawn("npm", ["ci", ...flags], { cwd: root, shell: process.platform === "win32" })
  const said = []
  npm.stdout.on("data", (chunk) => said.push(chunk))
  npm.stderr.on("data", (chunk) => said.push(chunk))
  npm.stdin.end()
  const stop = () => npm.kill()
  process.once("SIGTERM", stop)
  const [code] = await once(npm, "close").catch((error) => fail(`npm could not be started: ${error.message}.`))
  process.off("SIGTERM", stop)
  if (code === 0) return
  process.stderr.write(Buffer.concat(said))
  fail("The dependencies could not be installed (npm ci); see npm's output above.")
}

/**
 * Compares with the record npm writes as the last step of an installation, so an interrupted one does not count, and a
 * developer's own `npm install` does. Optional packages may be missing: most are for other platforms.
 */
async function isInstalled() {
  const [wanted, present] = await Promise.all([
    readPackages(join(root, "package-lock.json")),
    readPackages(join(root, "node_modules", ".package-lock.json"))
  ])
  return Object.entries(wanted).every(([path, { version, optional }]) =>
    path === "" || optional === true || (path in present && present[path].version === version)
  )
}

async function readPackages(path) {
  const text = await readFile(path, "utf8").catch(() => "{}")
  return JSON.parse(text).packages ?? {}
}

/** Prints one sentence on standard error and exits with code 1. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
