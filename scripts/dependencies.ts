/** `npm run dependencies`: writes the tables of docs/dependencies.md. Fails for a dependency without a reason. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fail } from "./install.mjs"
import * as Dependencies from "./release/Dependencies.ts"
import { root } from "./RepositoryCopy.ts"

const faults = Dependencies.faults()
if (faults.length > 0) fail(`scripts/release/dependency-reasons.json: ${faults.join("; ")}.`)
const file = Path.join(root, "docs/dependencies.md")
Fs.writeFileSync(file, Dependencies.withTables(Fs.readFileSync(file, "utf8")))
