import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { endpoints } from "../../src/Catalogue.ts"
import * as Endpoint from "../../src/endpoint/Endpoint.ts"
import { executionCodes, validationCodes } from "../../src/failure/Failure.ts"
import { introspection } from "../../src/introspection/Introspection.ts"
import { IntrospectionApi } from "../../src/introspection/IntrospectionApi.ts"

const document = introspection(endpoints, { version: "1.2.3" })

describe("introspection", () => {
  it("lists every endpoint of the catalogue, including those hidden from the reference", () => {
    assert.deepStrictEqual(document.endpoints.map(({ name }) => name), endpoints.map(({ name }) => name))
    assert.isFalse(document.endpoints.find(({ name }) => name === "createGasWallet")?.listed)
  })

  it("matches its endpoint's schema, and survives JSON unchanged", () => {
    const [facts] = Endpoint.factsOfGroup(IntrospectionApi)
    const answer: unknown = { status: "success", ...document }
    assert.isTrue(facts !== undefined && Option.isSome(Schema.decodeUnknownOption(facts.success)(answer)))
    assert.deepStrictEqual(JSON.parse(JSON.stringify(answer)), answer)
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
