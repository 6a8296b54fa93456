/** The parameters of the OpenAPI document: in the path, in the query of reads, in the JSON body of everything else. */
import type { EndpointFacts } from "../endpoint/Endpoint.ts"
import type { ParamDescription } from "../endpoint/Param.ts"
import { type Components, pascal, schemaRef } from "./OpenApiComponents.ts"
import type { Json } from "./ResponseSchema.ts"

const forHeaders =
  "For senders that cannot set headers, such as chart alerts: send the key as `Authorization: Bearer` " +
  "or `X-API-Key` wherever you can, so that no URL and no body contains it."

const isKey = (name: string): boolean => name === "apiKey" || name === "gas_wallet_api_key"

/** Returns true when the parameter must be in the query or the body: a key may always come as a header. */
export const isRequired = ({ name, required }: ParamDescription): boolean => required && !isKey(name)

const describe = ({ description, name }: ParamDescription): string => isKey(name) ? forHeaders : description

const schemaOf = (param: ParamDescription): Json => ({
  ...param.info.jsonSchema,
  description: describe(param),
  ...(param.info.secret ? {} : { examples: [param.info.example] })
})

/** Returns the schema of a parameter, or its place in a query: a reference where several endpoints take the same. */
export interface SharedParameters {
  readonly schema: (param: ParamDescription) => Json
  readonly query: (param: ParamDescription) => Json
}

const contentOf = (param: ParamDescription): string => `${param.name} ${JSON.stringify(schemaOf(param))}`

/** Returns the name of each content that at least two parameters have: the most frequent one of a name comes first. */
const sharedNames = (params: ReadonlyArray<ParamDescription>): ReadonlyMap<string, string> => {
  const uses = new Map<string, { readonly name: string; count: number }>()
  for (const param of params) {
    const use = uses.get(contentOf(param)) ?? { name: param.name, count: 0 }
    uses.set(contentOf(param), { ...use, count: use.count + 1 })
  }
  const taken = new Map<string, number>()
  const frequent = [...uses].filter(([, { count }]) => count > 1).sort(([, one], [, other]) => other.count - one.count)
  return new Map(frequent.map(([content, { name }]) => {
    const index = (taken.get(name) ?? 0) + 1
    taken.set(name, index)
    return [content, index === 1 ? name : `${name}${index}`]
  }))
}

/** Adds the schemas and query parameters that several endpoints share to the components. */
export const sharedParameters = (
  components: Components,
  endpoints: ReadonlyArray<EndpointFacts>
): SharedParameters => {
  const names = sharedNames(endpoints.flatMap(({ params }) => params))
  const schema = (param: ParamDescription): Json => {
    const name = names.get(contentOf(param))
    if (name === undefined) return schemaOf(param)
    components.schemas[`${pascal(name)}Param`] = schemaOf(param)
    return schemaRef(`${pascal(name)}Param`)
  }
  return {
    schema,
    query: (param) => {
      const name = names.get(contentOf(param))
      if (name === undefined) return inQuery(param, param.info.jsonSchema as Json)
      const full = isRequired(param) ? name : `${name}Optional`
      components.parameters[full] = inQuery(param, schema(param))
      return { $ref: `#/components/parameters/${full}` }
    }
  }
}

/** Returns the names of the parameters in a path's segments. */
export const pathParams = (path: string): ReadonlySet<string> =>
  new Set(path.split("/").filter((segment) => segment.startsWith(":")).map((segment) => segment.slice(1)))

/** The headers that endpoints of a class read, besides the key's. */
export const headerParameters: Readonly<Record<string, Json>> = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: "Makes a repeat safe: the same key and the same request return the same intent. The same as " +
      "`idempotency_key` in the body: send one of them.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
    example: "signal-2026-11-20T10:00Z"
  }
}

const headersOf = (facts: EndpointFacts): ReadonlyArray<Json> =>
  facts.params.some(({ name }) => name === "idempotency_key")
    ? [{ $ref: "#/components/parameters/IdempotencyKey" }]
    : []

/** The parameters of most writes besides what they write, in the order of the bodies. */
const writeParams = ["apiKey", "network", "pool", "protocol", "dryRun", "valid_for", "idempotency_key"]

/** The parameters of most changes of a vault's settings. */
const vaultParams = ["apiKey", "network", "pool", "protocol"]

const styleOf = ({ info }: ParamDescription, schema: Json): Json =>
  info.kind === "json"
    ? { content: { "application/json": { schema } } }
    : info.kind === "list"
    ? { style: "form", explode: false, schema }
    : { schema }

const inQuery = (param: ParamDescription, schema: Json): Json => ({
  name: param.name,
  in: "query",
  ...(isRequired(param) ? { required: true } : {}),
  // A schema that is referred to has the description and the example.
  ...("$ref" in schema ? {} : { description: describe(param) }),
  ...styleOf(param, schema),
  ...("$ref" in schema || param.info.secret || param.info.kind === "json" ? {} : { example: param.info.example })
})

const inPath = (param: ParamDescription, schema: Json): Json => ({
  name: param.name,
  in: "path",
  required: true,
  ...styleOf(param, schema)
})

/**
 * Returns the example of a body; none where a required parameter is a secret, and where the examples of its parameters
 * are the example.
 */
const bodyExample = (params: ReadonlyArray<ParamDescription>, { exampleRequest }: EndpointFacts): Json => {
  if (params.some((param) => isRequired(param) && param.info.secret)) return {}
  const shown = params.filter(({ info, name }) => !info.secret && name in exampleRequest)
  const isOwn = shown.some(({ info, name }) => JSON.stringify(info.example) !== JSON.stringify(exampleRequest[name]))
  if (!isOwn) return {}
  return { example: Object.fromEntries(shown.map(({ name }) => [name, exampleRequest[name]])) }
}

const objectOf = (shared: SharedParameters, params: ReadonlyArray<ParamDescription>): Json => {
  const required = params.filter(isRequired).map(({ name }) => name)
  return {
    type: "object",
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(params.map((param) => [param.name, shared.schema(param)]))
  }
}

/** Returns a body's schema. Most writes, and most settings, refer to one schema of what they have in common. */
const bodySchema = (
  components: Components,
  shared: SharedParameters,
  params: ReadonlyArray<ParamDescription>
): Json => {
  const has = (names: ReadonlyArray<string>) => names.every((name) => params.some((param) => param.name === name))
  const [kind, names] = has(writeParams) ? ["Write", writeParams] as const : ["Vault", vaultParams] as const
  if (!has(names)) return objectOf(shared, params)
  const inCommon = names.flatMap((name) => params.find((param) => param.name === name) ?? [])
  const name = `${kind}Parameters${inCommon.filter(isRequired).length === 2 ? "" : "Optional"}`
  const own = params.filter((param) => !names.includes(param.name))
  const common = components.add(name, objectOf(shared, inCommon))
  return own.length === 0 ? common : { allOf: [common, objectOf(shared, own)] }
}

const bodyOf = (
  components: Components,
  shared: SharedParameters,
  facts: EndpointFacts,
  params: ReadonlyArray<ParamDescription>
): Json => {
  const required = params.some(isRequired)
  const schema = bodySchema(components, shared, params)
  return components.addBody(pascal(facts.name), {
    ...(required ? { required } : {}),
    content: { "application/json": { schema, ...bodyExample(params, facts) } }
  })
}

/** Returns `parameters` and `requestBody` of an operation. */
export const requestOf = (
  components: Components,
  shared: SharedParameters,
  facts: EndpointFacts,
  method: "GET" | "POST"
): Json => {
  const names = pathParams(facts.paths[0] ?? "/")
  const outside = facts.params.filter(({ name }) => !names.has(name))
  const parameters = [
    ...facts.params.filter(({ name }) => names.has(name)).map((param) => inPath(param, shared.schema(param))),
    // Senders without headers, such as chart alerts, only write.
    ...(method === "GET" ? outside.filter(({ name }) => !isKey(name)).map(shared.query) : []),
    ...headersOf(facts)
  ]
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(method === "POST" && outside.length > 0 ? { requestBody: bodyOf(components, shared, facts, outside) } : {})
  }
}
