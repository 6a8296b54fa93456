/** Lists the workspaces of this repository, in the order they depend on each other. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "./install.mjs"

const order = ["core", "devnet", "workers", "server", "mcp", "app", "testing", "client", "console", "scripts"]

/**
 * `hasCode`: it has TypeScript files; `hasTests`, `hasDeepTests`: it has files that vitest runs in `npm test`, in `npm
 * run test:deep`.
 */
export function workspaces() {
  return order.map((name) => {
    const folder = name === "scripts" ? join(root, name) : join(root, "packages", name)
    return {
      name,
      folder,
      hasCode: existsSync(join(folder, "tsconfig.json")) && contains(folder, /\.tsx?$/),
      hasTests: contains(join(folder, "test"), /(?<!\.deep)\.test\.tsx?$/),
      hasDeepTests: contains(join(folder, "test"), /\.deep\.test\.tsx?$/)
    }
  })
}

function contains(folder, pattern) {
  if (!existsSync(folder)) return false
  return readdirSync(folder, { recursive: true }).some((path) => pattern.test(path) && !path.includes("node_modules"))
}
