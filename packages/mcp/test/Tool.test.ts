import { assert, describe, it } from "@effect/vitest"
import { endpoints, endpointsByTitle } from "@vault-trader/core/Catalogue"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { offered } from "../src/Restriction.ts"
import * as Scope from "@vault-trader/core/endpoint/ChangeScope"
import { confirmationName, tools, withheld } from "../src/Tool.ts"

const names = (list: ReadonlyArray<{ readonly name: string }>) => list.map(({ name }) => name).sort()
const everything = { allow: new Set(Scope.scopes), pools: undefined, assets: undefined, maxUsd: undefined }
const nothing = { ...everything, allow: new Set<Scope.Scope>() }

describe("the tools of agents", () => {
  it("classify every endpoint of the catalogue once: a tool, or withheld with a reason", () => {
    const classified = [...tools.map(({ facts }) => facts.name), ...withheld.map(({ name }) => name)]
    assert.deepStrictEqual(classified.sort(), names(endpoints))
    for (const { name, reason } of withheld) assert.notStrictEqual(reason, "", name)
  })

  it("have names that every client accepts, each once", () => {
    for (const { name } of tools) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/)
    assert.strictEqual(new Set(names(tools)).size, tools.length)
  })

  it("take no key, no private key, no signature and no other secret, and nothing that this server sets itself", () => {
    for (const { facts, inputSchema, name } of tools) {
      const secret = new Set(facts.params.filter(({ info }) => info.secret).map((param) => param.name))
      for (const taken of Object.keys(inputSchema.properties)) {
        assert.isFalse(secret.has(taken), `${name} takes ${taken}`)
        assert.notMatch(taken, /key|private|signature|secret|passphrase|^dryRun$|^execute$/i, name)
      }
    }
  }, 10_000)

  it("never return, create or rotate a credential, and never prove anything by a signature", () => {
    const never = [
      "createGasWallet",
      "getNewApiKey",
      "createWebhookToken",
      "setWebhook",
      "registerCEXSubaccount",
      "associateGasWallet",
      "deassociateGasWallet",
      "approveChange",
      "vetoChange",
      "setKeyLimits",
      "resumeWallet",
      "resumeBot",
      "signingPayload",
      "webhook",
      "testWebhook"
    ]
    const hidden = new Set(names(withheld))
    for (const name of never) assert.isTrue(hidden.has(name), `${name} is a tool`)
    for (const { facts } of tools) {
      assert.isUndefined(facts.creates)
      assert.include(
        facts.class === "readOnly" ? ["open", "apiKey", "apiKeyOrManager", "anyProof"] : ["apiKey"],
        facts.access
      )
    }
  })

  it("without a scope are exactly the reads, and each scope adds changes of its own", () => {
    assert.isTrue(offered(nothing).every(({ facts }) => facts.class === "readOnly"))
    assert.isTrue(offered(nothing).some(({ name }) => name === "poolComposition"))
    for (const scope of Scope.scopes) {
      const added = offered({ ...nothing, allow: new Set([scope]) }).filter(({ facts }) => facts.class !== "readOnly")
      assert.isNotEmpty(added, scope)
      for (const tool of added) assert.strictEqual(tool.scope, scope)
    }
    const trade = names(offered({ ...nothing, allow: new Set(["trade"]) }))
    assert.includeMembers(trade, ["vaultTrade", "approve"])
    assert.notIncludeMembers(trade, ["lend", "setBot", "setCEXSide", "addLiquidity", "placePerpetualOrder"])
    assert.deepStrictEqual(names(offered(everything)), names(tools))
  })

  it("derive their hints from the declaration", () => {
    for (const { annotations, facts, inputSchema } of tools) {
      const isRead = facts.class === "readOnly"
      assert.deepStrictEqual([annotations.readOnlyHint, annotations.destructiveHint], [isRead, !isRead])
      assert.strictEqual(annotations.idempotentHint, facts.class !== "movesFunds")
      assert.strictEqual(confirmationName in inputSchema.properties, !isRead)
    }
    assert.isFalse(tools.find(({ facts }) => facts.fromRows && facts.class === "readOnly")?.annotations.openWorldHint)
  })

  it("describe every argument, and require what the endpoint requires besides its key", () => {
    for (const { facts, inputSchema } of tools) {
      const wanted = facts.params.filter(({ info, required }) => required && !info.secret).map(({ name }) => name)
      assert.deepStrictEqual(inputSchema.required, wanted, facts.name)
      for (const property of Object.values(inputSchema.properties)) {
        assert.match("description" in property ? String(property.description) : "", /\w/, facts.name)
      }
    }
  })
})

describe("scopes", () => {
  it("are read from a comma list, in any case, or are all", () => {
    assert.deepStrictEqual([...Scope.parse("Trade, lend") ?? []], ["trade", "lend"])
    assert.deepStrictEqual([...Scope.parse("all") ?? []], [...Scope.scopes])
    for (const text of ["", "trades", "trade,", "trade,all", "toString"]) assert.isUndefined(Scope.parse(text), text)
  })

  it("are the rows of the table in docs/mcp.md", () => {
    const text = Fs.readFileSync(Path.join(import.meta.dirname, "../../../docs/mcp.md"), "utf8")
    const rows = Array.from(
      text.split("| Scope |")[1]?.split("\n\n")[0]?.matchAll(/^\| `(\w+)` \|/gm) ?? [],
      ([, row]) => row
    )
    assert.sameMembers(rows, [...Scope.scopes])
  })

  it("name groups that the catalogue has", () => {
    const known = Object.keys(endpointsByTitle).flatMap((title) => Scope.ofTitle(title) ?? [])
    assert.sameMembers([...new Set(known)], [...Scope.scopes])
  })
})
