/**
 * Bundles the command `vault-trader` of this clone into .cache/bundle when one of its inputs has changed: as a process
 * it takes a third of the processor time of the sources until it works, and tests start hundreds.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./install.mjs"
import { digestOf, filesBelow } from "./tool.mjs"
import { workspaces } from "./workspaces.mjs"

const folder = join(root, ".cache", "bundle")
const stamp = join(folder, ".made-of")
const program = join(folder, "vault-trader.mjs")

/** The program. As scripts/run.mjs it takes the command's own name as well, and loads its modules from V8's cache. */
const entry = `import module from "node:module"
module.enableCompileCache?.(${JSON.stringify(join(root, ".cache", "compile"))})
if (process.argv[2] === "vault-trader") process.argv.splice(2, 1)
await import("./lib/vault-trader.js")
`

const inputs = () => [
  ...workspaces().flatMap((each) => {
    const sources = join(each.folder, "src")
    return existsSync(sources) ? filesBelow(sources) : []
  }),
  ...["scripts/bundle.mjs", "scripts/release/Bundle.ts"].map((name) => join(root, name)),
  join(root, "package-lock.json")
]

/** Returns the path of the program. */
export async function bundleCommand() {
  const wanted = digestOf(inputs())
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return program
  const { bundleOfClone } = await import("./release/Bundle.ts")
  rmSync(folder, { recursive: true, force: true })
  await bundleOfClone(join(folder, "lib"))
  writeFileSync(program, entry)
  writeFileSync(stamp, wanted)
  return program
}
