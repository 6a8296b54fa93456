/**
 * Continues in the Node version that the service needs. Node 20 can read this file, install the dependencies and start
 * the packaged Node that comes with them; everything else runs there.
 */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fail, root } from "./install.mjs"

/** The first Node version that runs TypeScript without a build, and that the libraries require. */
const leastNode = [22, 19]

/** Set for a process that was started from here. */
const marker = "VAULT_TRADER_HANDED_OVER"

const isNewEnough = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])
}

/** Returns the packaged Node of this platform; its package names the location of the binary. */
const packagedNode = () => {
  const names = [
    `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`,
    `node-bin-${process.platform}-${process.arch}`
  ]
  const folder = names.map((name) => join(root, "node_modules", name)).find((each) =>
    existsSync(join(each, "package.json"))
  )
  if (folder === undefined) return undefined
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const program = join(folder, (typeof bin === "string" ? bin : bin?.node) ?? "bin/node")
  return existsSync(program) ? program : undefined
}

/**
 * Returns when this Node is new enough. Otherwise runs the same command in the packaged one and exits as that exits.
 */
export async function handOver() {
  const handedOver = process.env[marker] !== undefined && process.channel !== undefined
  // Child processes must not inherit the marker.
  delete process.env[marker]
  if (handedOver) endWithParent()
  if (isNewEnough()) return
  const wanted = leastNode.join(".")
  if (handedOver) fail(`The packaged Node is ${process.versions.node}; Vault Trader needs Node ${wanted} or newer.`)
  const program = packagedNode()
  if (program === undefined) {
    fail(
      `Vault Trader needs Node ${wanted} or newer; this is Node ${process.versions.node}, and no packaged Node for ` +
        `${process.platform}-${process.arch} is installed. Install Node 24, the long-term support line, and start again.`
    )
  }
  // The child ends with this process in every case: it notices when the channel closes.
  const child = spawn(program, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...process.env, [marker]: "1", PATH: `${dirname(program)}${delimiter}${process.env.PATH ?? ""}` },
    stdio: ["inherit", "inherit", "inherit", "ipc"]
  })
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
  const pass = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, pass)
  child.on("error", ({ message }) => fail(`The packaged Node could not be started: ${message}.`))
  await new Promise(() => {
    child.on("exit", (code, signal) => {
      for (const each of signals) process.off(each, pass)
      if (signal === null) process.exit(code ?? 1)
      process.kill(process.pid, signal)
    })
  })
}

/** Ends this process when its parent is gone. The channel itself keeps no process alive. */
function endWithParent() {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))
  process.channel.unref()
}
