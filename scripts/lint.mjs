/** `npm run lint`: runs oxlint, for the rules that need types, beside ESLint, on every workspace. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join, relative } from "node:path"
import { root } from "./install.mjs"
import { workspaces } from "./workspaces.mjs"

const folders = workspaces().filter(({ hasCode }) => hasCode).map(({ folder }) => relative(root, folder))

async function run(program, args) {
  const child = spawn(process.execPath, [join(root, "node_modules", program), ...args, ...folders], {
    cwd: root,
    stdio: "inherit"
  })
  const [code] = await once(child, "close")
  if (code !== 0) process.exitCode = 1
}

await Promise.all([
  run("oxlint/bin/oxlint", ["--type-aware", "--quiet", "--report-unused-disable-directives-severity=error"]),
  run("eslint/bin/eslint.js", [])
])
