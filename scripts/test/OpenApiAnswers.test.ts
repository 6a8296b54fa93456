import { assert, describe, it } from "@effect/vitest"
import { endpoints, endpointsByTitle } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { boxed, unboxed } from "@vault-trader/core/introspection/MediaType"
import { openApiDocument } from "@vault-trader/core/introspection/OpenApiDocument"
import type { Fields } from "@vault-trader/testing/harness/Harness"
import { contradictions } from "@vault-trader/testing/harness/OpenApiAnswers"

const documentOf = (answers: "both" | "boxed") =>
  JSON.parse(JSON.stringify(openApiDocument(endpointsByTitle, { version: "1.2.3" }, answers))) as Fields
const check = contradictions(documentOf("both"), documentOf("boxed"))

const box = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]))

/** Returns what the document has against an answer, with boxes and without. */
const found = (facts: EndpointFacts, fields: Fields, status = 200) =>
  [boxed, unboxed].flatMap((type) => {
    const body = JSON.parse(JSON.stringify(type === boxed && status === 200 ? box(fields) : fields)) as Fields
    return check(facts, { status, body, fields, text: "", headers: new Headers({ "content-type": type }) })
  })

const refusal = { status: "fail", status_code: "1010", message: "Missing required parameter: pool" }
const failure = { status: "fail", status_code: "2003", error_type: "no_route", message: "No route.", intent_id: null }
const pending = { status: "pending", network: "base", intent_id: "i", tx_hash: null, message: "Accepted." }
const dryRun = {
  status: "success",
  dryRun: true,
  network: "base",
  plan: {},
  intent_id: null,
  tx_hash: null,
  message: "Nothing was sent."
}

/** Endpoints whose dry run returns more. */
const quoted = ["mintManagerFee", "mintManagerFeeBatch", "mintAllFeesByManager"]

describe("the OpenAPI document", () => {
  for (const facts of endpoints.filter(({ listed }) => listed)) {
    it(`describes each kind of answer of ${facts.name} exactly once, and nothing else`, () => {
      const success = { status: "success", ...facts.example }
      const answers: ReadonlyArray<Fields> = [
        success,
        refusal,
        ...(facts.class === "movesFunds" ? [pending] : []),
        ...(facts.class === "movesFunds" && !quoted.includes(facts.name) ? [dryRun] : [])
      ]
      for (const answer of answers) assert.deepStrictEqual(found(facts, answer), [], JSON.stringify(answer))
      assert.deepStrictEqual(found(facts, failure, 400), [])
      for (const wrong of [{}, { ...success, status: "done" }, { ...refusal, status_code: "9999" }, { status: 1 }]) {
        assert.isNotEmpty(found(facts, wrong), JSON.stringify(wrong))
      }
      assert.isNotEmpty(found(facts, { ...failure, error_type: "no_such" }, 400))
      assert.isNotEmpty(check(facts, {
        status: 200,
        body: success,
        fields: success,
        text: "",
        headers: new Headers({ "content-type": boxed })
      }))
    })
  }
})
