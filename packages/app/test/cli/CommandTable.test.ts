import { assert, describe, it } from "@effect/vitest"
import { endpoints } from "@vault-trader/core/Catalogue"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as CommandTable from "../../src/cli/CommandTable.ts"
import { optionsOf } from "../../src/cli/endpoint/Invocation.ts"
import { connectionOptions, writeOptions } from "../../src/cli/endpoint/OwnOptions.ts"
import { commandTable, commandTableFile, commandTableText } from "../../src/client-source/CommandTableSource.ts"

const table = CommandTable.read()
const commandOf = (endpoint: string) => {
  const found = table.endpoints.find((each) => each.endpoint === endpoint)
  if (found === undefined) throw new Error(`no command of ${endpoint}`)
  return found
}
const optionOf = (endpoint: string, param: string) => {
  const found = commandOf(endpoint).options.find((each) => each.param === param)
  if (found === undefined) throw new Error(`no option ${param}`)
  return found
}
const isKey = (name: string) => name === "apiKey" || name === "gas_wallet_api_key"

describe("the table of commands", () => {
  it.effect("is what `npm run docs` writes", () =>
    Effect.map(commandTable, (fresh) => {
      const committed = Fs.readFileSync(Path.join(import.meta.dirname, "../../../..", commandTableFile), "utf8")
      assert.isTrue(committed === commandTableText(fresh), `${commandTableFile} is outdated: run \`npm run docs\``)
    }), 60_000)

  it("has a command for every endpoint, by its name here and in the API, with every parameter but the key", () => {
    assert.deepStrictEqual(table.endpoints.map(({ endpoint }) => endpoint), endpoints.map(({ name }) => name))
    for (const { name, params } of endpoints) {
      const command = commandOf(name)
      assert.strictEqual(CommandTable.endpointCommand(table, command.name), command)
      assert.strictEqual(CommandTable.endpointCommand(table, name), command)
      assert.match(command.name, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
      assert.sameMembers(
        command.options.map(({ param }) => param),
        params.map((param) => param.name).filter((param) => !isKey(param))
      )
      assert.strictEqual(command.key !== "none", params.some((param) => isKey(param.name)), name)
    }
  })

  it("has one meaning for each name: no command, short name or option has the name of another", () => {
    const operator = CommandTable.operatorCommands(table).map(({ name }) => name)
    const names = [
      ...["profile", "completion", "help"],
      ...operator,
      ...table.endpoints.flatMap(({ aliases, name }) => [name, ...aliases])
    ]
    assert.deepStrictEqual(names.filter((name, index) => names.indexOf(name) !== index), [])
    for (const command of table.endpoints) {
      const own = [...connectionOptions, ...writeOptions].map(({ name }) => name)
      const options = [...optionsOf(command).options.map(({ name }) => name)]
      assert.deepStrictEqual(options.filter((name, index) => options.indexOf(name) !== index), [], command.name)
      for (const { name } of command.options) assert.notInclude(own, name)
    }
  })

  it("names options in kebab case and takes their types, values and defaults from the declaration", () => {
    assert.deepInclude(optionOf("vaultTrade", "dryRun"), { name: "dry-run", type: "flag", required: false })
    assert.deepInclude(optionOf("vaultTrade", "valid_for"), { name: "valid-for", type: "integer" })
    assert.deepInclude(optionOf("vaultTrade", "slippage"), { type: "number", fallback: "0.5" })
    assert.deepInclude(optionOf("vaultTrade", "amount"), { type: "number", required: false })
    assert.deepInclude(optionOf("getGasBalance", "USD"), { name: "usd", type: "flag" })
    assert.deepInclude(optionOf("mintManagerFeeBatch", "pools"), { type: "list", required: true })
    assert.deepInclude(optionOf("setIndexBot", "targets"), { type: "json" })
    assert.deepInclude(optionOf("setAllocations", "allocations"), { type: "text" })
    assert.include([...optionOf("registerCEXSubaccount", "exchange").values ?? []], "binance")
    assert.includeMembers([...optionOf("getGasBalance", "network").values ?? []], ["base", "mainnet", "all"])
    assert.includeMembers([...optionOf("getNewApiKey", "keep").values ?? []], ["managers", "true"])
  })

  it("marks every secret but a signature, which is valid once, and takes none in an example", () => {
    const secrets = new Set(
      table.endpoints.flatMap(({ options }) => options.filter((each) => each.secret)).map(
        ({ param }) => param
      )
    )
    assert.sameMembers([...secrets], [
      ...["privateKey", "cex_api_key", "cex_secret", "cex_passphrase", "token"],
      ...["url", "access_token", "smtp_password", "subscription"]
    ])
    for (const { example, options } of table.endpoints) {
      const hidden = options.filter(({ param, secret }) => secret === true || param === "signature").map(({ param }) =>
        param
      )
      for (const name of [...hidden, "apiKey", "gas_wallet_api_key"]) assert.notProperty(example, name)
    }
  })

  it("uses a profile's network and vault where they are required, and nowhere to narrow a question", () => {
    const filled = (endpoint: string) =>
      commandOf(endpoint).options.filter(({ fromProfile }) => fromProfile).map(({ param }) => param)
    assert.sameMembers(filled("vaultTrade"), ["network", "pool"])
    assert.sameMembers(filled("getGasBalance"), ["network"])
    assert.sameMembers(filled("depositToPerpetuals"), ["pool"])
    assert.sameMembers(filled("mintAllFeesByManager"), [])
    assert.sameMembers(filled("getIntents"), [])
  })
})
