/**
 * Makes a fresh clone runnable: the Node that is needed, and the dependencies that package-lock.json names. Plain Node without
 * dependencies, because it runs before there are any.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Folder of the clone, without a trailing slash. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "")

const leastNode = [20, 19]

/** Ends the process with one sentence when this Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  if (major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])) return
  fail(`Vault Trader needs Node ${leastNode.join(".")} or newer; this is Node ${process.versions.node}.`)
}

/**
 * Installs unless the last installation here was of exactly this lock file. What `npm install` of a developer left is believed
 * as well when it is of this lock: npm's own hidden lock file is younger.
 */
export async function installMissing() {
  const mark = join(root, "node_modules", ".vault-trader-lock")
  const wanted = createHash("sha256").update(await readFile(join(root, "package-lock.json"))).digest("hex")
  const present = await readFile(mark, "utf8").catch(() => "")
  if (present.trim() === wanted && existsSync(join(root, "node_modules", ".package-lock.json"))) return

  process.stderr.write("installing dependencies…\n")
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
  // npm's chatter must not end up in a stream a caller parses: its standard output goes to our standard error.
  const npm = spawn(process.platform === "win32" ? "npm.cmd" : "npm", ["ci", ...quiet], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32"
  })
  const said = []
  npm.stdout.on("data", (chunk) => said.push(chunk))
  npm.stderr.on("data", (chunk) => said.push(chunk))
  const [code] = await once(npm, "close").catch((error) => fail(`npm could not be started: ${error.message}`))
  if (code !== 0) {
    process.stderr.write(Buffer.concat(said))
    fail("The dependencies could not be installed (npm ci); what npm said is above.")
  }
  await writeFile(mark, `${wanted}\n`)
}

/** One sentence on standard error, exit code 1. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
