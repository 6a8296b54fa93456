/** The headers by which an endpoint that will be removed announces it: RFC 9745 (`Deprecation`), RFC 8594 (`Sunset`). */
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** Returns the same answer, with the headers where the endpoint is deprecated. */
export const of =
  ({ deprecated }: EndpointFacts) =>
  (answer: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
    deprecated === undefined ? answer : HttpServerResponse.setHeaders(answer, {
      deprecation: `@${Date.parse(deprecated.since) / 1000}`,
      sunset: new Date(deprecated.sunset).toUTCString(),
      link: "</docs/api-policy.md>; rel=\"deprecation\"; type=\"text/markdown\""
    })
