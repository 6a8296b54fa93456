/** Parts of the builders of pages: a digest of their inputs, and a tool of node_modules that is run to its end. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fail, root } from "./install.mjs"

/** Lists the files below a folder. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Returns a digest of the files' places in the clone and their contents. */
export function digestOf(paths) {
  const hash = createHash("sha256")
  for (const path of [...paths].sort()) {
    hash.update(path.slice(root.length)).update("\0").update(readFileSync(path)).update("\0")
  }
  return hash.digest("hex")
}

/** Runs a program of Node to its end, silently; prints its output and ends this process with the sentence if it fails. */
export async function runTool(args, { cwd, failed }) {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, NODE_ENV: "production" } })
  const said = []
  child.stdout.on("data", (chunk) => said.push(chunk))
  child.stderr.on("data", (chunk) => said.push(chunk))
  const stop = () => child.kill()
  process.once("SIGTERM", stop)
  const [code] = await once(child, "close")
  process.off("SIGTERM", stop)
  if (code === 0) return
  process.stderr.write(Buffer.concat(said))
  fail(failed)
}
