/** Builds the OpenAPI 3.1 document from the catalogue's facts. Unlisted endpoints are not in it. */
import type { EndpointFacts } from "../endpoint/Endpoint.ts"
import { brief } from "./OpenApiBrief.ts"
import * as Components from "./OpenApiComponents.ts"
import { keys, methodOf, operation, template } from "./OpenApiOperation.ts"
import { headerParameters, sharedParameters } from "./OpenApiParameters.ts"
import { type Answers, failures, sharedResponses } from "./OpenApiResponses.ts"
import { inlined } from "./OpenApiInlining.ts"
import { unboxed } from "./MediaType.ts"
import { shared as withShared } from "./OpenApiSharing.ts"
import type { Json } from "./ResponseSchema.ts"

const description = `Trade a managed on-chain vault over HTTP.

Every field of a success or a validation failure is a one-element array. With \`Accept: ${unboxed}\` the same fields are
sent without boxes, and \`status\` discriminates the answers: check it, not the HTTP status alone.

Each endpoint is one operation here; its path takes GET and POST, unless \`x-alias\` lists other ways to call it.
Parameters may always come in the query string, a JSON body or a form body, merged; secrets in a body only. Send API
keys as \`Authorization: Bearer\` or \`X-API-Key\`, from a server only.
Texts are short here, and single parameters have no examples: \`?answers=unboxed\` and \`/__docs__\` have all of them.
Every answer has an \`X-Request-Id\`, the caller's own if the request has one.

Read-only endpoints never send a transaction. Endpoints that change config change what is stored, and nothing on chain.
Endpoints that move funds sign and send from the caller's gas wallet: send an \`Idempotency-Key\` with each.`

const securitySchemes: Json = {
  Bearer: { type: "http", scheme: "bearer", description: "The gas wallet's API key, `Authorization: Bearer <key>`." },
  ApiKeyHeader: { type: "apiKey", in: "header", name: "X-API-Key", description: "The gas wallet's API key." }
}

/**
 * Builds the document from the endpoints by the title of their group; `version` is the service's. The document with both
 * media types has short texts, so that it stays small; those with one have the whole texts, and more examples.
 */
export const openApiDocument = (
  endpointsByTitle: Readonly<Record<string, ReadonlyArray<EndpointFacts>>>,
  service: { readonly version: string },
  answers: Answers = "both",
  texts: "brief" | "whole" = answers === "both" ? "brief" : "whole"
): Json => {
  const groups = Object.entries(endpointsByTitle)
    .map(([title, endpoints]) => ({ title, endpoints: endpoints.filter(({ listed }) => listed) }))
    .filter(({ endpoints }) => endpoints.length > 0)
  const components = Components.make()
  const shared = sharedParameters(components, groups.flatMap(({ endpoints }) => endpoints))
  const builder = { answers, components, shared }
  Object.assign(components.schemas, failures)
  const paths = Object.fromEntries(groups.flatMap(({ endpoints, title }) =>
    endpoints.map((facts) => [
      template(facts.paths[0] ?? "/"),
      { [methodOf(facts).toLowerCase()]: operation(builder, title, facts) }
    ])
  ))
  const whole: Json = {
    openapi: "3.1.0",
    info: {
      title: "Vault Trader",
      version: service.version,
      description,
      contact: { name: "The operator of this service" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" }
    },
    servers: [{ url: "/" }],
    security: keys,
    tags: groups.map(({ title }) => ({
      name: title,
      description: title
    })),
    paths,
    components: {
      securitySchemes,
      parameters: { ...headerParameters, ...components.parameters },
      requestBodies: components.requestBodies,
      responses: sharedResponses(answers),
      schemas: components.schemas
    }
  }
  return inlined(withShared(texts === "brief" ? brief(whole) as Json : whole))
}
