import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { endpoints, endpointsByTitle } from "../../src/Catalogue.ts"
import * as Network from "../../src/chain/Network.ts"
import * as Endpoint from "../../src/endpoint/Endpoint.ts"
import { executionCodes, validationCodes } from "../../src/failure/Failure.ts"
import { categories, compactIntrospection, introspection } from "../../src/introspection/Introspection.ts"
import { IntrospectionApi } from "../../src/introspection/IntrospectionApi.ts"

const all = categories(endpointsByTitle)
const options = {
  version: "1.2.3",
  served: { networks: Network.names, defaultNetwork: "base", protocols: ["dhedge"] }
} as const
const document = introspection(all, all, options)
const compact = compactIntrospection(all, all, options)

describe("introspection", () => {
  it("lists every endpoint of the catalogue, including those hidden from the reference", () => {
    assert.deepStrictEqual(document.endpoints.map(({ name }) => name), endpoints.map(({ name }) => name))
    assert.isFalse(document.endpoints.find(({ name }) => name === "createGasWallet")?.listed)
  })

  it("matches its endpoint's schema, and survives JSON unchanged", () => {
    const [facts] = Endpoint.factsOfGroup(IntrospectionApi)
    for (const fields of [document, compact]) {
      const answer: unknown = { status: "success", ...fields }
      assert.isTrue(facts !== undefined && Option.isSome(Schema.decodeUnknownOption(facts.success)(answer)))
      assert.deepStrictEqual(JSON.parse(JSON.stringify(answer)), answer)
    }
  })

  it("has every endpoint in under 6,000 tokens when it is compact", () => {
    const lines = compact.endpoints.flatMap((each) => each.endpoints)
    assert.deepStrictEqual(lines.map((line) => line.split(" ")[0]), endpoints.map(({ name }) => name))
    assert.isBelow(Buffer.byteLength(JSON.stringify(compact)) / 3.6, 6_000)
    assert.include(lines.find((line) => line.startsWith("vaultTrade ")), "(movesFunds pool from to)")
  })

  it("has the fields that agents read", () => {
    assert.deepStrictEqual(document.api_info.categories.slice(0, 3), ["gas-wallets", "kill-switches", "vaults"])
    assert.strictEqual(document.endpoints.find(({ name }) => name === "vaultTrade")?.category, "trading")
    assert.deepInclude(document.networks, { name: "base", chain_id: 8453, native_token: "ETH", is_default: true })
    assert.deepStrictEqual(document.protocols, ["dhedge"])
    assert.includeMembers([...document.platforms.venues], ["1inch", "uniswapV3"])
    assert.deepInclude(document.error_codes, { "1002": "Invalid API key", "2003": "no_route" })
    assert.isNotEmpty(document.usage_notes)
  })

  it("has only the endpoints of the chosen categories", () => {
    const chosen = all.filter(({ category }) => category === "trading")
    const names = introspection(all, chosen, options).endpoints.map(({ name }) => name)
    assert.deepStrictEqual(names, endpointsByTitle["Trading"]?.map(({ name }) => name))
  })

  it("names every code once", () => {
    assert.deepStrictEqual(document.codes.validation, validationCodes)
    assert.deepStrictEqual(
      Object.entries(document.codes.execution).map(([code, type]) => [type, code]).sort(),
      Object.entries(executionCodes).map(([type, code]) => [type, code]).sort()
    )
    assert.strictEqual(new Set(Object.values(executionCodes)).size, Object.keys(executionCodes).length)
  })

  it("has recipes that use only existing endpoints", () => {
    const names = new Set(endpoints.map(({ name }) => name))
    assert.deepStrictEqual(Object.values(document.recipes).flat().filter((name) => !names.has(name)), [])
  })

  it("describes for each parameter whether it is required, its schema and its location", () => {
    const key = document.endpoints.find(({ name }) => name === "getNewApiKey")?.parameters
    assert.deepStrictEqual(key?.map(({ in: places, name, required }) => [name, required, places]), [[
      "privateKey",
      true,
      ["body"]
    ], ["keep", false, ["query", "body"]]])
    for (const { name, parameters } of document.endpoints) {
      for (const { description, schema } of parameters) assert.isTrue(description !== "" && "type" in schema, name)
    }
  })

  it("shows the price beside the class", () => {
    const prices = Object.fromEntries(document.endpoints.map(({ name, price_usd }) => [name, price_usd]))
    assert.deepStrictEqual([prices["vaultTrade"], prices["approve"], prices["poolComposition"]], [0.1, 0.02, 0])
  })
})
