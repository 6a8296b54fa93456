import { assert, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { configurationDocument } from "../../src/ConfigurationDocument.ts"

it("docs/configuration.md is what the settings say", () => {
  const committed = Fs.readFileSync(Path.join(import.meta.dirname, "../../../../docs/configuration.md"), "utf8")
  assert.strictEqual(committed, configurationDocument)
})
