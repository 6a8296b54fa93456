/**
 * `npm run format [-- --check]`: formats all sources with dprint (dprint.json), or lists those that are not formatted.
 * It calls dprint's plugin rather than dprint's command, which needs a program for each platform.
 */
import { createContext } from "@dprint/formatter"
import { getPath } from "@dprint/typescript"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { root } from "./install.mjs"

const check = process.argv.includes("--check")
const { folders, excluded, typescript, ...shared } = JSON.parse(readFileSync(join(root, "dprint.json"), "utf8"))
const context = createContext(shared)
context.addPlugin(readFileSync(getPath()), typescript)

let different = 0
for (const path of folders.flatMap(sources)) {
  const text = readFileSync(path, "utf8")
  const formatted = context.formatText({ filePath: path, fileText: text })
  if (formatted === text) continue
  different++
  console.log(relative(root, path))
  if (!check) writeFileSync(path, formatted)
}
console.log(`format: ${different} files ${check ? "are not formatted; npm run format formats them" : "formatted"}`)
process.exitCode = check && different > 0 ? 1 : 0

function sources(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return excluded.includes(entry.name) ? [] : sources(path)
    return /\.(ts|tsx|mts|mjs)$/.test(entry.name) ? [join(root, path)] : []
  })
}
