/** The endpoints as methods of the client libraries: the fold over the catalogue that every language shares. */
import { endpoints } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import type { ParamDescription } from "@vault-trader/core/endpoint/Param"
import { inlineSuccessOf } from "@vault-trader/core/introspection/ResponseSchema"

export type JsonSchema = Readonly<Record<string, unknown>>

/** A parameter of a method. */
interface ClientParam {
  readonly name: string
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
}

export interface ClientMethod {
  readonly endpoint: string
  /** The method's name in camel case. */
  readonly name: string
  readonly path: `/${string}`
  readonly summary: string
  /** `write`: executed once under an idempotency key. `change`: has no such key, so it is not repeated. */
  readonly kind: "read" | "change" | "write"
  /** States if the endpoint takes the API key, which the client sends in a header. */
  readonly key: "none" | "optional" | "required"
  /** The parameters besides the API key and `dryRun`, required ones first. */
  readonly params: ReadonlyArray<ClientParam>
  /** The schema of the success, without boxes and without `status`. */
  readonly success: JsonSchema
  /** The schema of the response to a dry run, for endpoints that have one. */
  readonly dryRun: JsonSchema | undefined
}

const keyNames = ["apiKey", "gas_wallet_api_key"]

/** Returns true for the parameter that is the API key. */
export const isKey = ({ name }: ParamDescription) => keyNames.includes(name)

/** Returns the name in camel case: its own, with slashes and hyphens removed. */
const camelCase = (name: string): string => name.replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns a camel-case name in snake case; capitals in a row are one word. */
export const snakeCase = (name: string): string =>
  name.replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2").replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase()

/** Returns a camel-case name with a capital. */
export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const withoutStatus = (schema: JsonSchema): JsonSchema => {
  const { status: _, ...properties } = schema["properties"] as JsonSchema
  return {
    ...schema,
    properties,
    required: (schema["required"] as ReadonlyArray<string>).filter((name) => name !== "status")
  }
}

const paramOf = ({ description, info, name, required }: ParamDescription): ClientParam => ({
  name,
  required,
  description,
  schema: info.jsonSchema as JsonSchema
})

const methodOf = (facts: EndpointFacts): ClientMethod => {
  if (!facts.methods.includes("POST")) throw new Error(`${facts.name} cannot be called by POST, as clients do`)
  const takes = (name: string) => facts.params.some((param) => param.name === name)
  const key = facts.params.find(isKey)
  const schema = inlineSuccessOf(facts.success)
  const members = Array.isArray(schema["anyOf"]) ? schema["anyOf"] as ReadonlyArray<JsonSchema> : [schema]
  const [success = schema, , dryRun] = members
  const params = facts.params.filter((param) => !isKey(param) && param.name !== "dryRun").map(paramOf)
  return {
    endpoint: facts.name,
    name: camelCase(facts.name),
    path: facts.paths.find((path) => !path.includes(":")) ?? facts.paths[0] ?? `/${facts.name}`,
    summary: facts.summary,
    kind: takes("idempotency_key") ? "write" : facts.class === "readOnly" ? "read" : "change",
    key: key === undefined ? "none" : key.required ? "required" : "optional",
    params: [...params.filter(({ required }) => required), ...params.filter(({ required }) => !required)],
    success: withoutStatus(success),
    dryRun: takes("dryRun") && dryRun !== undefined ? withoutStatus(dryRun) : undefined
  }
}

/** The methods in the order of the catalogue. Throws when two have one name. */
export const clientMethods: ReadonlyArray<ClientMethod> = (() => {
  const methods = endpoints.map(methodOf)
  const names = methods.map(({ name }) => snakeCase(name))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`two endpoints have the method ${twice}`)
  return methods
})()
