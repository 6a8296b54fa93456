/** API reference: `/openapi.json`, Scalar's interactive page for it at `/__docs__`, and texts for language models. */
import { endpointsByTitle } from "@vault-trader/core/Catalogue"
import * as Llms from "@vault-trader/core/introspection/Llms"
import { openApiDocument } from "@vault-trader/core/introspection/OpenApiDocument"
import { type Answers, isAnswers, kindsOfAnswers } from "@vault-trader/core/introspection/OpenApiResponses"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type { Version } from "../gate/Health.ts"
import * as CachedDocument from "../wire/CachedDocument.ts"
import * as Wire from "../wire/Wire.ts"

/** Serves the document, whole or with the answers of one media type (`?answers=unboxed`). */
const openApi = (version: Version) => {
  const documents = Object.fromEntries(
    kindsOfAnswers.map((answers) => [
      answers,
      HttpServerResponse.jsonUnsafe(openApiDocument(endpointsByTitle, version, answers))
    ])
  ) as Readonly<Record<Answers, HttpServerResponse.HttpServerResponse>>
  const answer = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => {
    const answers = new URL(url, "http://localhost").searchParams.get("answers") ?? "both"
    return isAnswers(answers)
      ? documents[answers]
      : Wire.error(400, `answers: must be one of ${kindsOfAnswers.join(", ")}`)
  })
  return HttpRouter.add("GET", "/openapi.json", answer)
}

interface Options {
  readonly version: Version
  /** Documents for callers, in Markdown. */
  readonly documents?: ReadonlyArray<Llms.Text> | undefined
}

const text = (path: `/${string}`, content: string, contentType: string) =>
  HttpRouter.add("GET", path, Effect.succeed(HttpServerResponse.text(content, { contentType })))

const plainText = "text/plain; charset=utf-8"
const markdown = "text/markdown; charset=utf-8"

/** Serves llms.txt, llms-full.txt, and each document that they link to. */
const texts = ({ documents = [], version }: Options) =>
  Layer.mergeAll(
    text("/llms.txt", Llms.index(endpointsByTitle, version, documents), plainText),
    text("/llms-full.txt", Llms.full(endpointsByTitle, version, documents), plainText),
    ...documents.map(({ name, text: content }) => text(`/docs/${name}`, content, markdown))
  )

export const layer = (options: Options) => {
  // The page requires an HttpApi; this empty one is replaced by the catalogue's document.
  const api = HttpApi.make("vault-trader").annotate(
    OpenApi.Transform,
    () => openApiDocument(endpointsByTitle, options.version, "both", "whole")
  )
  return Layer.mergeAll(HttpApiScalar.layer(api, { path: "/__docs__" }), openApi(options.version), texts(options)).pipe(
    Layer.provide(CachedDocument.middleware.layer)
  )
}
