/**
 * Runs @effect/language-service on every workspace: floating effects, missing requirements and errors, `yield` without
 * its star. Its errors and warnings fail. `node scripts/diagnostics.mjs [workspace…]`; two at a time, a few seconds
 * each.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { root } from "./install.mjs"
import { workspaces } from "./workspaces.mjs"

/** Prints the findings; `true` when there are none. */
export async function diagnose(names) {
  const cli = fileURLToPath(new URL("node_modules/@effect/language-service/cli.js", `${pathToFileURL(root)}/`))
  const waiting = workspaces().filter(({ name, hasCode }) => hasCode && (names.length === 0 || names.includes(name)))
  let clean = true
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const project = `${next.folder}/tsconfig.json`
      const args = ["diagnostics", "--project", project, "--format", "text", "--severity", "error,warning", "--strict"]
      const child = spawn(process.execPath, [cli, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
      const said = []
      child.stdout.on("data", (chunk) => said.push(chunk))
      child.stderr.on("data", (chunk) => said.push(chunk))
      const [code] = await once(child, "close")
      const text = Buffer.concat(said).toString().trim()
      console.log(`${relative(root, next.folder)}: ${code === 0 ? text.split("\n")[0] : `\n${text}`}`)
      if (code !== 0) clean = false
    }
  }
  await Promise.all([work(), work()])
  return clean
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await diagnose(process.argv.slice(2))) ? 0 : 1
}
