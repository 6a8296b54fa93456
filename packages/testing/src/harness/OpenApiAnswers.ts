/** Compares answers with the service's own OpenAPI document, by a JSON Schema validator. */
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { methodOf, template } from "@vault-trader/core/introspection/OpenApiOperation"
import { Ajv2020 } from "ajv/dist/2020.js"
import type { Answer, Fields } from "./Harness.ts"

const idOf = (index: number) => `https://vault-trader.test/openapi-${index}.json`

/** Writes a name as a segment of a JSON pointer. */
const segment = (name: string): string => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Fields)[name] : undefined

/** Returns the names that lead to a response, through the document's own reference where it is a shared one. */
const placeOf = (document: Fields, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const ref = member(names.reduce<unknown>(member, document), "$ref")
  return typeof ref === "string" ? ref.replace("#/", "").split("/") : names
}

/** Returns the reasons why an answer contradicts the document: none where the answer is as described. */
export type Contradictions = (facts: EndpointFacts, answer: Answer) => ReadonlyArray<string>

/** Compares answers with the documents: with each that describes their media type, of which there must be one. */
export const contradictions = (...documents: ReadonlyArray<Fields>): Contradictions => {
  // Formats are not compared, and OpenAPI has keywords that JSON Schema does not know.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  documents.forEach((document, index) => ajv.addSchema(document, idOf(index)))
  return (facts, { body, headers, status }) => {
    const operation = ["paths", template(facts.paths[0] ?? "/"), methodOf(facts).toLowerCase()]
    const type = headers.get("content-type") ?? ""
    const found = documents.flatMap((document, index) => {
      const response = placeOf(document, [...operation, "responses", String(status)])
      const place = [...response, "content", type, "schema"]
      return ajv.getSchema(`${idOf(index)}#/${place.map(segment).join("/")}`) ?? []
    })
    if (found.length === 0) return [`no document has ${[...operation, status, type].join(" ")}`]
    return found.flatMap((validate) =>
      validate(body) === true
        ? []
        : (validate.errors ?? []).map(({ instancePath, message, params }) =>
          `${instancePath} ${message ?? ""} ${JSON.stringify(params)}`
        )
    )
  }
}
