/**
 * `node scripts/run.mjs <start|demo> [arguments…]`: runs a script of this folder in this very process, so that the process a user signals is
 * the service itself; on a Node that is too old, in the packaged one, which gets the signals. Installs the dependencies first where they are missing.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { buildConsole } from "./console.mjs"
import { handOver } from "./handover.mjs"
import { fail, installMissing, requireNode, root } from "./install.mjs"

requireNode()
const [name, ...args] = process.argv.slice(2)
if (name === undefined || !/^[a-z-]+$/.test(name)) fail("Usage: node scripts/run.mjs <start|demo> [arguments…]")
const script = join(root, "scripts", `${name}.ts`)
if (!existsSync(script)) fail(`There is no scripts/${name}.ts to run.`)
await installMissing()
await handOver()
if (name === "start" || name === "server") await buildConsole()

process.argv = [process.execPath, script, ...args]
await import(pathToFileURL(script).href)
