import { assert, describe, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Document, type RulesetDefinition, Spectral } from "@stoplight/spectral-core"
import { Json } from "@stoplight/spectral-parsers"
import { oas } from "@stoplight/spectral-rulesets"
import { endpointsByTitle } from "@vault-trader/core/Catalogue"
import { openApiDocument } from "@vault-trader/core/introspection/OpenApiDocument"

const text = (answers: "both" | "boxed" | "unboxed") =>
  JSON.stringify(openApiDocument(endpointsByTitle, { version: "1.2.3" }, answers))

describe("the OpenAPI document", () => {
  for (const answers of ["both", "boxed", "unboxed"] as const) {
    it(`has no error and no warning by Spectral's rules, with ${answers} answers`, async () => {
      const spectral = new Spectral()
      spectral.setRuleset({ extends: [[oas, "recommended"]], rules: {} } as RulesetDefinition)
      const found = await spectral.run(new Document(text(answers), Json))
      assert.deepStrictEqual(found.map(({ code, message, path }) => `${code} ${path.join("/")}: ${message}`), [])
    })

    it(`has no error and no warning by Redocly's recommended rules, with ${answers} answers`, async () => {
      const config = await createConfig({ extends: ["recommended"] })
      const found = await lintFromString({ source: text(answers), absoluteRef: "/openapi.json", config })
      assert.deepStrictEqual(
        found.map(({ location: [at], message, ruleId }) => `${ruleId} ${at?.pointer}: ${message}`),
        []
      )
    })
  }
})
