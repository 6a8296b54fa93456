/**
 * `npm run format [-- --check]`: formats all sources with dprint (dprint.json), or lists those that are not formatted.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { root } from "./install.mjs"

const command = process.argv.includes("--check") ? ["check", "--list-different"] : ["fmt"]
const { status } = spawnSync(process.execPath, [join(root, "node_modules/dprint/bin.cjs"), ...command], {
  cwd: root,
  env: { ...process.env, DPRINT_CACHE_DIR: join(root, ".cache", "dprint") },
  stdio: "inherit"
})
process.exitCode = status === 0 ? 0 : 1
