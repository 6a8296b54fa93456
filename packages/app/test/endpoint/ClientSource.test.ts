import { assert, describe, it } from "@effect/vitest"
import { endpoints } from "@vault-trader/core/Catalogue"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { clientMethods, snakeCase } from "../../src/client-source/ClientMethod.ts"
import { pythonFile, pythonSource } from "../../src/client-source/PythonSource.ts"
import { rFile, rSource } from "../../src/client-source/RSource.ts"
import { typeScriptFile, typeScriptSource } from "../../src/client-source/TypeScriptSource.ts"

const committed = (path: string) => Fs.readFileSync(Path.join(import.meta.dirname, "../../../..", path), "utf8")

describe("the client libraries", () => {
  const files = [[typeScriptFile, typeScriptSource], [pythonFile, pythonSource], [rFile, rSource]] as const
  for (const [file, source] of files) {
    it(`${file} is what \`npm run docs\` writes`, () => {
      assert.isTrue(committed(file) === source, `${file} is outdated: run \`npm run docs\``)
    })
  }

  it("have one method for each endpoint, which sends every parameter but the key", () => {
    assert.deepStrictEqual(clientMethods.map(({ endpoint }) => endpoint), endpoints.map(({ name }) => name))
    for (const { key, params, endpoint } of clientMethods) {
      const facts = endpoints.find(({ name }) => name === endpoint)
      const others = facts?.params.map(({ name }) => name).filter((name) =>
        !["apiKey", "gas_wallet_api_key", "dryRun"].includes(name)
      )
      assert.sameMembers(params.map(({ name }) => name), [...others ?? []])
      assert.strictEqual(
        key !== "none",
        facts?.params.some(({ name }) => name === "apiKey" || name === "gas_wallet_api_key"),
        endpoint
      )
    }
  })

  it("treat as a write exactly what is executed once under an idempotency key", () => {
    for (const { endpoint, kind } of clientMethods) {
      const facts = endpoints.find(({ name }) => name === endpoint)
      const expected = facts?.class === "movesFunds" ? "write" : facts?.class === "readOnly" ? "read" : "change"
      assert.strictEqual(kind, expected, endpoint)
    }
  })

  it("name methods by the rules of their language", () => {
    assert.deepStrictEqual(
      ["vaultTrade", "lenderAV3Lend", "getAllCEXSubaccounts", "apiCexChargeFee", "USD"].map(snakeCase),
      ["vault_trade", "lender_av3_lend", "get_all_cex_subaccounts", "api_cex_charge_fee", "usd"]
    )
  })
})
