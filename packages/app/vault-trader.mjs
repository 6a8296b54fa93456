#!/usr/bin/env node
/** `npx vault-trader <command>` in a clone: runs the command as `npm run vault-trader -- <command>` does. */
import { fileURLToPath } from "node:url"

const run = new URL("../../scripts/run.mjs", import.meta.url)
process.argv.splice(1, 1, fileURLToPath(run), "vault-trader")
await import(run.href)
