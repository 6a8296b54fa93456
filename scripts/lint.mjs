/** `npm run lint`: runs ESLint on every workspace, two at a time. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join, relative } from "node:path"
import { root } from "./install.mjs"
import { workspaces } from "./workspaces.mjs"

const waiting = workspaces().filter(({ hasCode }) => hasCode).map(({ folder }) => folder)

async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const args = [join(root, "node_modules/eslint/bin/eslint.js"), relative(root, next)]
    const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" })
    const [code] = await once(child, "close")
    if (code !== 0) process.exitCode = 1
  }
}

await Promise.all([work(), work()])
