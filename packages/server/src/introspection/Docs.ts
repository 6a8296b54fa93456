/**
 * API reference: `/openapi.json`, Scalar's interactive page for it at `/__docs__`, and texts for language models. Each is
 * made when it is first requested: together they take a second, for which no start has to wait.
 */
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
import * as Scope from "effect/Scope"
import type { Version } from "../gate/Health.ts"
import * as CachedDocument from "../wire/CachedDocument.ts"
import * as Wire from "../wire/Wire.ts"

/** Makes a response when it is first requested, and keeps it: CachedDocument knows it again. */
const once = (
  make: () => HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  let made: HttpServerResponse.HttpServerResponse | undefined
  return Effect.sync(() => made ??= make())
}

/** Serves the document, whole or with the answers of one media type (`?answers=unboxed`). */
const openApi = (version: Version) => {
  const documents = Object.fromEntries(
    kindsOfAnswers.map((answers) => [
      answers,
      once(() => HttpServerResponse.jsonUnsafe(openApiDocument(endpointsByTitle, version, answers)))
    ])
  ) as Readonly<Record<Answers, Effect.Effect<HttpServerResponse.HttpServerResponse>>>
  const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
    const answers = new URL(url, "http://localhost").searchParams.get("answers") ?? "both"
    return isAnswers(answers)
      ? documents[answers]
      : Effect.succeed(Wire.error(400, `answers: must be one of ${kindsOfAnswers.join(", ")}`))
  })
  return HttpRouter.add("GET", "/openapi.json", answer)
}

/** Serves Scalar's page. Its script of three megabytes and its document are loaded with the first request. */
const reference = (version: Version) => {
  const path = "/__docs__"
  // The page requires an HttpApi; this empty one is replaced by the catalogue's document.
  const api = HttpApi.make("vault-trader").annotate(
    OpenApi.Transform,
    () => openApiDocument(endpointsByTitle, version, "both", "whole")
  )
  return HttpRouter.use((router) =>
    Effect.gen(function*() {
      const scope = yield* Effect.scope
      const loading = Effect.flatMap(HttpRouter.make, (own) =>
        Layer.build(HttpApiScalar.layer(api, { path })).pipe(
          Effect.provideService(HttpRouter.HttpRouter, own),
          Scope.provide(scope),
          Effect.map(() => own.asHttpEffect())
        ))
      // A first reader who leaves does not interrupt it for those who wait with him.
      const page = yield* Effect.cached(Effect.uninterruptible(loading))
      yield* router.add("GET", path, Effect.flatten(page))
    })
  )
}

interface Options {
  readonly version: Version
  /** Documents for callers, in Markdown. */
  readonly documents?: ReadonlyArray<Llms.Text> | undefined
}

const text = (path: `/${string}`, content: () => string, contentType: string) =>
  HttpRouter.add("GET", path, once(() => HttpServerResponse.text(content(), { contentType })))

const plainText = "text/plain; charset=utf-8"
const markdown = "text/markdown; charset=utf-8"

/** Serves llms.txt, llms-full.txt, and each document that they link to. */
const texts = ({ documents = [], version }: Options) =>
  Layer.mergeAll(
    text("/llms.txt", () => Llms.index(endpointsByTitle, version, documents), plainText),
    text("/llms-full.txt", () => Llms.full(endpointsByTitle, version, documents), plainText),
    ...documents.map(({ name, text: content }) => text(`/docs/${name}`, () => content, markdown))
  )

export const layer = (options: Options) =>
  Layer.mergeAll(reference(options.version), openApi(options.version), texts(options)).pipe(
    Layer.provide(CachedDocument.middleware.layer)
  )
