/** Builds the OpenAPI 3.1 document from the catalogue's facts. Unlisted endpoints are not in it. */
import * as Schema from "effect/Schema"
import type { EndpointFacts } from "../endpoint/Endpoint.ts"
import { executionCodes, validationCodes } from "../failure/Failure.ts"
import type { ParamDescription } from "../endpoint/Param.ts"

type Json = Readonly<Record<string, unknown>>

const box = (schema: unknown): Json => ({ type: "array", minItems: 1, maxItems: 1, items: schema })
const text = { type: "string" }

const validationFailure: Json = {
  type: "object",
  description: "Refused before anything happened. Check `status`, not the HTTP status.",
  required: ["status", "status_code", "message"],
  properties: {
    status: box({ const: "fail" }),
    status_code: box({ enum: Object.keys(validationCodes) }),
    message: box(text)
  }
}

const executionFailure: Json = {
  type: "object",
  description: "An admitted request that could not be executed. Final: none of its transactions can still be mined.",
  required: ["status", "status_code", "error_type", "message", "intent_id"],
  properties: {
    status: { const: "fail" },
    status_code: { enum: Object.values(executionCodes) },
    error_type: { enum: Object.keys(executionCodes) },
    message: text,
    intent_id: { type: ["string", "null"] },
    tx_hash: text
  }
}

/**
 * Removes the names of non-finite numbers, which Effect's number schema allows. JSON has no such numbers, and responses
 * contain none.
 */
const cleanSchema = (schema: unknown): Json => withoutSpecials(schema) as Json
const specials = JSON.stringify({ type: "string", enum: ["Infinity", "-Infinity", "NaN"] })
const withoutSpecials = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.filter((each) => JSON.stringify(each) !== specials).map(withoutSpecials)
  if (typeof schema !== "object" || schema === null) return schema
  const mapped: Json = withoutAbsent(
    Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withoutSpecials(value)]))
  )
  const { anyOf, ...rest } = mapped
  return Array.isArray(anyOf) && anyOf.length === 1 ? { ...rest, ...anyOf[0] } : mapped
}

/** Removes null from optional fields. Effect's schema allows null for a missing value, but responses omit the field. */
const withoutAbsent = (schema: Json): Json => {
  if (typeof schema["properties"] !== "object" || !Array.isArray(schema["required"])) return schema
  const required = new Set(schema["required"])
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema["properties"] as Readonly<Record<string, Json>>).map((
        [name, field]
      ) => [name, required.has(name) ? field : withoutLastNull(field)])
    )
  }
}

const withoutLastNull = (field: Json): Json => {
  const { anyOf, ...rest } = field
  const members = Array.isArray(anyOf) ? anyOf as ReadonlyArray<Json> : []
  if (members.at(-1)?.["type"] !== "null") return field
  const [first, ...others] = members.slice(0, -1)
  return others.length === 0 ? { ...rest, ...first } : { ...rest, anyOf: [first, ...others] }
}

/** Boxes every top-level field of a JSON schema of an object; a union is boxed member by member. */
const boxFields = (schema: Json): Json => {
  if (Array.isArray(schema["anyOf"])) return { oneOf: schema["anyOf"].map((member) => boxFields(member as Json)) }
  const properties = (schema["properties"] ?? {}) as Json
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, box(property)]))
  }
}

/** Returns the names of the parameters in a path's segments. */
const pathParams = (path: string): ReadonlySet<string> =>
  new Set(path.split("/").filter((segment) => segment.startsWith(":")).map((segment) => segment.slice(1)))

const parameter = (path: string) => (param: ParamDescription): Json => ({
  name: param.name,
  in: pathParams(path).has(param.name) ? "path" : "query",
  required: param.required || pathParams(path).has(param.name),
  description: param.description,
  schema: param.info.jsonSchema,
  ...(param.info.secret ? {} : { example: param.info.example })
})

const parametersOf = (parameters: ReadonlyArray<Json>, method: string): Json =>
  method === "POST" && parameters.length === 0 ? {} : { parameters }

const bodyOf = (params: ReadonlyArray<ParamDescription>): Json => ({
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: params.filter(({ required }) => required).map(({ name }) => name),
        properties: Object.fromEntries(
          params.map(({ name, info, description }) => [name, { ...info.jsonSchema, description }])
        )
      }
    }
  }
})

/**
 * Returns the JSON schema of an endpoint's success without boxes. That of an endpoint that moves funds is the union of
 * the success, `pending`, and the response to a dry run.
 */
export const successSchema = (facts: EndpointFacts): Json =>
  cleanSchema(
    Schema.toJsonSchemaDocument(facts.success, { referencePolicy: () => undefined, onExcessProperty: "error" }).schema
  )

const responses = (facts: EndpointFacts): Json => {
  const success = successSchema(facts)
  const example = Object.fromEntries(
    Object.entries({ status: "success", ...facts.example }).map(([name, value]) => [name, [value]])
  )
  return {
    "200": {
      description: "Success, pending, or a validation failure: check `status`.",
      content: {
        "application/json": {
          schema: { oneOf: [boxFields(success), { $ref: "#/components/schemas/ValidationFailure" }] },
          example
        }
      }
    },
    "400": {
      description: "Execution failure.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/ExecutionFailure" } } }
    },
    "503": { description: "Throttled; back off for `Retry-After` seconds.", content: { "text/html": { schema: text } } }
  }
}

/** Builds the document; `version` is the service's. */
export const openApiDocument = (
  endpoints: ReadonlyArray<EndpointFacts>,
  service: { readonly version: string }
): Json => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const facts of endpoints.filter(({ listed }) => listed)) {
    for (const path of facts.paths) {
      for (const method of facts.methods) {
        const inUrl = facts.params.filter(({ info }) => !info.bodyOnly)
        const inBody = facts.params.filter(({ name }) => !pathParams(path).has(name))
        const withBody = method !== "GET" && inBody.length > 0
        const template = path.replace(/:(\w+)/g, "{$1}")
        paths[template] = {
          ...paths[template],
          [method.toLowerCase()]: {
            operationId: path === facts.paths[0] && method === facts.method
              ? facts.name
              : `${path.slice(1).replaceAll("/", "_").replaceAll(":", "")}_${method}`,
            summary: facts.summary,
            tags: [facts.class],
            ...parametersOf(
              inUrl.filter(({ name }) => method !== "POST" || pathParams(path).has(name)).map(parameter(path)),
              method
            ),
            ...(withBody && method === "POST" ? { requestBody: bodyOf(inBody) } : {}),
            responses: responses(facts),
            "x-class": facts.class,
            "x-charge": facts.charge
          }
        }
      }
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Vault Trader",
      version: service.version,
      description:
        "Trade a managed on-chain vault over HTTP. Every field of a success or a validation failure is a one-element array.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" }
    },
    servers: [{ url: "/" }],
    tags: [
      { name: "readOnly", description: "Never sends a transaction." },
      { name: "changesConfig", description: "Changes what is stored, not what is on chain." },
      { name: "movesFunds", description: "Signs and sends from the caller's gas wallet." }
    ],
    paths,
    components: { schemas: { ValidationFailure: validationFailure, ExecutionFailure: executionFailure } }
  }
}
