/**
 * `node scripts/run.mjs <start|demo|…> [arguments…]`: runs a command of vault-trader, or a tool of the repository, in
 * this process, so that the process a user signals is the service itself; on a Node that is too old, in the packaged
 * one, which receives the signals. Installs missing dependencies first.
 */
import { existsSync } from "node:fs"
import module from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { buildConsole } from "./console.mjs"
import { handOver } from "./handover.mjs"
import { installMissing, requireNode, root } from "./install.mjs"

requireNode()
const [name = "vault-trader", ...args] = process.argv.slice(2)
/** Tools of the repository; every other name is a command of vault-trader. */
const places = [`packages/app/src/bin/${name}.ts`, `packages/testing/src/bin/${name}.ts`, `scripts/${name}.ts`]
const tool = /^[a-z-]+$/.test(name) ? places.map((place) => join(root, place)).find(existsSync) : undefined
const script = tool ?? join(root, "packages/app/src/bin/vault-trader.ts")
const scriptArgs = tool === undefined ? [name, ...args] : args
const command = name === "vault-trader" ? args[0] : name
// Programs load in half the time from V8's cache, which is in the clone and is of the sources' exact content.
module.enableCompileCache?.(join(root, ".cache", "compile"))
await installMissing()
await handOver()
if (command === "start" || command === "server") await buildConsole()

process.argv = [process.execPath, script, ...scriptArgs]
await import(pathToFileURL(script).href)
