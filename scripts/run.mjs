/**
 * `node scripts/run.mjs <start|demo|…> [arguments…]`: runs a command in this process, so that the process a user
 * signals is the service itself; on a Node that is too old, in the packaged one, which receives the signals. Installs
 * missing dependencies first.
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
const capitalized = `${name[0].toUpperCase()}${name.slice(1)}`
const places = [
  `packages/app/src/bin/${name}.ts`,
  `packages/app/src/cli/${capitalized}.ts`,
  `packages/testing/src/bin/${name}.ts`,
  `scripts/${name}.ts`
]
const script = places.map((place) => join(root, place)).find(existsSync)
if (script === undefined) fail(`There is no command ${name}.`)
await installMissing()
await handOver()
if (name === "start" || name === "server") await buildConsole()

process.argv = [process.execPath, script, ...args]
await import(pathToFileURL(script).href)
