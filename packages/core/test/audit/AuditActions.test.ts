import { assert, describe, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { auditActions } from "../../src/audit/AuditAction.ts"

describe("the actions of the audit log", () => {
  it("are all in docs/audit.md, with the sentences that the service prints", () => {
    const text = Fs.readFileSync(Path.join(import.meta.dirname, "../../../../docs/audit.md"), "utf8")
    const documented = [...text.matchAll(/^\| `([a-z]+\.[a-z_]+)` \| (.+) \|$/gm)].map(([, action, meaning]) => [
      action,
      meaning
    ])
    assert.deepStrictEqual(documented, Object.entries(auditActions))
  })
})
