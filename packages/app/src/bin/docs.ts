/** `npm run docs`: writes the files that are derived from code. A test compares the committed files with them. */
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Sample from "../cli/backtest/Sample.ts"
import { configurationDocument } from "../ConfigurationDocument.ts"
import { commandTable, commandTableFile, commandTableText } from "../client-source/CommandTableSource.ts"
import { pythonFile, pythonSource } from "../client-source/PythonSource.ts"
import { rFile, rSource } from "../client-source/RSource.ts"
import { typeScriptFile, typeScriptSource } from "../client-source/TypeScriptSource.ts"
import { withEndpointTables } from "../EndpointTables.ts"

const apiDocument = Path.join("docs", "api.md")

Fs.mkdirSync("docs", { recursive: true })
Fs.writeFileSync(Path.join("docs", "configuration.md"), configurationDocument)
Fs.writeFileSync(apiDocument, withEndpointTables(Fs.readFileSync(apiDocument, "utf8")))
Fs.mkdirSync(Sample.folder, { recursive: true })
for (const [name, content] of Object.entries(Sample.files)) Fs.writeFileSync(Path.join(Sample.folder, name), content)
const generated = [
  [typeScriptFile, typeScriptSource],
  [pythonFile, pythonSource],
  [rFile, rSource],
  [commandTableFile, commandTableText(await Effect.runPromise(commandTable))]
] as const
for (const [path, content] of generated) {
  Fs.mkdirSync(Path.dirname(path), { recursive: true })
  Fs.writeFileSync(path, content)
}
