/** API reference: `/openapi.json`, and Scalar's interactive page for it at `/__docs__`. */
import { endpoints } from "@vault-trader/core/Catalogue"
import { openApiDocument } from "@vault-trader/core/introspection/OpenApiDocument"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type { Version } from "../gate/Health.ts"

export const layer = (version: Version) => {
  const document = openApiDocument(endpoints, version)
  // The page requires an HttpApi; this empty one is replaced by the catalogue's document.
  const api = HttpApi.make("vault-trader").annotate(OpenApi.Transform, () => document)
  return Layer.mergeAll(
    HttpApiScalar.layer(api, { path: "/__docs__" }),
    HttpRouter.add("GET", "/openapi.json", Effect.succeed(HttpServerResponse.jsonUnsafe(document)))
  )
}
