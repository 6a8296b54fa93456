/** One operation of the OpenAPI document for each endpoint; its other methods and paths are listed as aliases. */
import type { EndpointFacts } from "../endpoint/Endpoint.ts"
import { executionCodes } from "../failure/Failure.ts"
import { type Components, pascal } from "./OpenApiComponents.ts"
import { requestOf, type SharedParameters } from "./OpenApiParameters.ts"
import { type Answers, responsesOf } from "./OpenApiResponses.ts"
import type { Json } from "./ResponseSchema.ts"

/** Returns a path as OpenAPI writes it. */
export const template = (path: string): string => path.replace(/:(\w+)/g, "{$1}")

/** Returns an operation's id: the endpoint's name as an identifier, `lenderAV3/lend` as `lenderAV3Lend`. */
export const operationId = ({ name }: EndpointFacts): string => {
  const id = pascal(name)
  return id.charAt(0).toLowerCase() + id.slice(1)
}

/** Returns the method of an endpoint's operation: GET for reads without a body, otherwise POST. */
export const methodOf = ({ class: kind, method, methods, params }: EndpointFacts): "GET" | "POST" =>
  kind === "readOnly" && method === "GET" && methods.includes("GET") && !params.some(({ info }) => info.bodyOnly)
    ? "GET"
    : "POST"

/** Returns the other ways to call the endpoint, `GET /vaultTrade`. */
export const aliasesOf = (facts: EndpointFacts): ReadonlyArray<string> =>
  facts.paths.flatMap((path) => facts.methods.map((method) => `${method} ${template(path)}`))
    .filter((each) => each !== `${methodOf(facts)} ${template(facts.paths[0] ?? "/")}`)

/** Returns true when the endpoint has one path, which takes GET and POST: the document says that once, for all. */
const hasUsualAliases = ({ methods, paths }: EndpointFacts): boolean =>
  paths.length === 1 && methods.length === 2 && methods.includes("GET") && methods.includes("POST")

const classes = { readOnly: "Read-only.", changesConfig: "Changes config.", movesFunds: "Moves funds." }

const accesses: Readonly<Record<EndpointFacts["access"], string>> = {
  open: "Public.",
  // The document's own credentials say it.
  apiKey: "",
  manager: "Needs the manager's signature.",
  apiKeyAndManager: "Needs an API key and the manager's signature.",
  apiKeyOrManager: "Needs an API key, or the manager's signature.",
  anyProof: "Needs an API key, the manager's signature, or the wallet's private key."
}

const descriptionOf = (facts: EndpointFacts): string => {
  // Their names are in the same order as the codes in the schema of failures, and in docs/api.md.
  const failures = facts.failsWith.map((errorType) => executionCodes[errorType])
  return [
    `${classes[facts.class]} ${accesses[facts.access]}`.trim(),
    ...(facts.charge === "free" ? [] : [`Price class: ${facts.charge}.`]),
    ...(failures.length === 0 ? [] : [`Fails with ${failures.join(", ")}.`])
  ].join(" ")
}

/** The credentials of every operation that names no others. */
export const keys: ReadonlyArray<Json> = [{ Bearer: [] }, { ApiKeyHeader: [] }]

/** The credentials of an operation that are headers, unless a key is required. Signatures are parameters. */
const securityOf = ({ access }: EndpointFacts): Json =>
  access === "open" || access === "manager"
    ? { security: [] }
    : access === "apiKey" || access === "apiKeyAndManager"
    ? {}
    : { security: [...keys, {}] }

/** Returns the sentence about the end of a deprecated endpoint. */
const endOf = ({ deprecated }: EndpointFacts): string =>
  deprecated === undefined
    ? ""
    : `Deprecated since ${deprecated.since}, and may be gone from ${deprecated.sunset}. ${deprecated.instead} `

/** Builds the parts of one document. */
export interface Builder {
  readonly components: Components
  readonly shared: SharedParameters
  readonly answers: Answers
}

/** Returns the operation of an endpoint and adds its schemas to the components. */
export const operation = ({ answers, components, shared }: Builder, tag: string, facts: EndpointFacts): Json => ({
  operationId: operationId(facts),
  summary: facts.summary,
  description: `${endOf(facts)}${descriptionOf(facts)}`,
  tags: [tag],
  ...(facts.deprecated === undefined ? {} : { deprecated: true }),
  ...securityOf(facts),
  ...requestOf(components, shared, facts, methodOf(facts)),
  responses: responsesOf(components, answers, facts),
  ...(hasUsualAliases(facts) ? {} : { "x-alias": aliasesOf(facts) })
})
