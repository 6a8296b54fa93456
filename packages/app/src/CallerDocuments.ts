/** The documents for callers and managers that the service itself serves, beside its generated reference. */
import type { Text } from "@vault-trader/core/introspection/Llms"
import * as Fs from "node:fs"
import * as Path from "node:path"

/** The documents of docs/ that describe the API to its callers, in the order of docs/README.md. */
const names = [
  "api.md",
  "webhooks.md",
  "exchanges.md",
  "perpetuals.md",
  "billing.md",
  "backtest.md",
  "managers.md",
  "keys.md",
  "authority.md"
]

/** The folders that have the documents: the repository's, or a build's own copy. */
const folders = [Path.join(import.meta.dirname, "../../../docs"), Path.join(import.meta.dirname, "../docs")]

/** Reads the documents that are on disk. A build without them serves the reference alone. */
export const callerDocuments = (): ReadonlyArray<Text> =>
  names.flatMap((name) => {
    const path = folders.map((folder) => Path.join(folder, name)).find((each) => Fs.existsSync(each))
    return path === undefined ? [] : [{ name, text: Fs.readFileSync(path, "utf8") }]
  })
