/** The documents for callers and managers that the service itself serves, beside its generated reference. */
import type { Text } from "@vault-trader/core/introspection/Llms"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { documentsFolder } from "./ShippedFiles.ts"

/** The documents of docs/ that describe the API to its callers, in the order of docs/README.md. */
const names = [
  "api.md",
  "api-policy.md",
  "webhooks.md",
  "notifications.md",
  "exchanges.md",
  "perpetuals.md",
  "billing.md",
  "backtest.md",
  "managers.md",
  "keys.md",
  "authority.md"
]

/** Reads the documents that are on disk. A build without them serves the reference alone. */
export const callerDocuments = (): ReadonlyArray<Text> =>
  names.flatMap((name) => {
    const path = Path.join(documentsFolder, name)
    return Fs.existsSync(path) ? [{ name, text: Fs.readFileSync(path, "utf8") }] : []
  })
