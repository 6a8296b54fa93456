import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { endpoints } from "../../src/Catalogue.ts"
import * as Endpoint from "../../src/endpoint/Endpoint.ts"
import { executionCodes, validationCodes } from "../../src/failure/Failure.ts"
import { introspection } from "../../src/introspection/Introspection.ts"
import { IntrospectionApi } from "../../src/introspection/IntrospectionApi.ts"

const told = introspection(endpoints, { version: "1.2.3" })

describe("introspection", () => {
  it("lists every endpoint of the catalogue, those hidden from the reference too", () => {
    assert.deepStrictEqual(told.endpoints.map(({ name }) => name), endpoints.map(({ name }) => name))
    assert.isFalse(told.endpoints.find(({ name }) => name === "createGasWallet")?.listed)
  })

  it("is what its own endpoint may answer, and survives JSON unchanged", () => {
    const [facts] = Endpoint.factsOfGroup(IntrospectionApi)
    const answer: unknown = { status: "success", ...told }
    assert.isTrue(facts !== undefined && Option.isSome(Schema.decodeUnknownOption(facts.success)(answer)))
    assert.deepStrictEqual(JSON.parse(JSON.stringify(answer)), answer)
  })

  it("names every code once", () => {
    assert.deepStrictEqual(told.codes.validation, validationCodes)
    assert.deepStrictEqual(
      Object.entries(told.codes.execution).map(([code, type]) => [type, code]).sort(),
      Object.entries(executionCodes).map(([type, code]) => [type, code]).sort()
    )
    assert.strictEqual(new Set(Object.values(executionCodes)).size, Object.keys(executionCodes).length)
  })

  it("has recipes of endpoints that exist", () => {
    const names = new Set(endpoints.map(({ name }) => name))
    assert.deepStrictEqual(Object.values(told.recipes).flat().filter((name) => !names.has(name)), [])
  })

  it("says of each parameter whether it is needed, what it is and where it may stand", () => {
    const key = told.endpoints.find(({ name }) => name === "getNewApiKey")?.parameters
    assert.deepStrictEqual(key?.map(({ in: places, name, required }) => [name, required, places]), [["privateKey", true, ["body"]], ["keep", false, ["query", "body"]]])
    for (const { name, parameters } of told.endpoints) {
      for (const { description, schema } of parameters) assert.isTrue(description !== "" && "type" in schema, name)
    }
  })

  it("shows the price beside the class", () => {
    const prices = Object.fromEntries(told.endpoints.map(({ name, price_usd }) => [name, price_usd]))
    assert.deepStrictEqual([prices["vaultTrade"], prices["approve"], prices["poolComposition"]], [0.1, 0.02, 0])
  })
})
