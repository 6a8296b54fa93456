/** How the HTTP APIs of venues are asked: where, with which key, for how long, and when not at all. */
import type { AggregatorBooks, NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Redaction from "@vault-trader/core/telemetry/Redaction"
import { VenueBanStore } from "@vault-trader/core/venue/VenueBanStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { partOf } from "../chain/HttpFailure.ts"
import { hostOf } from "../chain/RpcEndpoint.ts"
import { NoQuote } from "./Venue.ts"

/** Venues whose quotes come from an HTTP API. */
export type ApiVenue = keyof typeof AggregatorBooks.Type

/** One API, as its adapter knows it. */
export interface Api {
  readonly venue: ApiVenue
  /** The headers that say who asks; absent where nobody needs to. */
  readonly authorise?: (key: string) => Readonly<Record<string, string>>
}

export interface Access {
  /** Where an API answers unless the network's book says otherwise. */
  readonly urls: Readonly<Record<ApiVenue, string>>
  readonly keys: { readonly [K in ApiVenue]?: Redacted.Redacted<string> | undefined }
  /** Hard limit of one request. */
  readonly timeoutMillis: number
}

/** The public APIs, without a key. */
export const standard: Access = {
  urls: { "1inch": "https://api.1inch.dev", kyberswap: "https://aggregator-api.kyberswap.com", odosV3: "https://enterprise-api.odos.xyz" },
  keys: {},
  timeoutMillis: 5_000
}

/** Asks, and decodes the answer. Every way in which that fails is a `NoQuote` whose reason holds no secret. */
export type Ask = <A, I>(answer: Schema.Codec<A, I>, request: HttpClientRequest.HttpClientRequest) => Effect.Effect<A, NoQuote>

export class AggregatorClient extends Context.Service<AggregatorClient, {
  /** The API of a venue on a network; `NoQuote` without credentials and while the venue is banned there. */
  readonly open: (api: Api, book: NetworkBook) => Effect.Effect<Ask, NoQuote>
}>()("vault-trader/workers/venue/VenueApi") {
  static readonly layer = (access: Access): Layer.Layer<AggregatorClient, never, HttpClient.HttpClient | VenueBanStore> =>
    Layer.effect(AggregatorClient, make(access))
}

/** Over the platform's own HTTP client. Redirects are not followed: they would take keys to somebody else. */
export const overFetch = (access: Access): Layer.Layer<AggregatorClient, never, VenueBanStore> =>
  AggregatorClient.layer(access).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )

interface Answer {
  readonly status: number
  readonly text: string
}

/** Of refusals without a word about it nobody knows whether waiting helps. */
const aboutQuota = /quota|limit|exceed|too many|credit|usage/i

const isQuota = ({ status, text }: Answer) => status === 429 || ((status === 401 || status === 403) && aboutQuota.test(text))

const Json = Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))

const Complaint = Schema.fromJsonString(Schema.Struct({
  description: Schema.optional(Schema.String),
  detail: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String)
}))

/** What the API itself says is wrong, in one short line. */
const complaintOf = (text: string): string => {
  const { description, detail, message } = Option.getOrElse(Schema.decodeUnknownOption(Complaint)(text), (): typeof Complaint.Type => ({}))
  const said = (description ?? detail ?? message ?? "").replace(/[^\x20-\x7e]/g, " ").trim().slice(0, 120)
  return said === "" ? "" : `: ${said}`
}

const reasonOf = (answer: Answer): string => {
  const said = `HTTP ${answer.status}${complaintOf(answer.text)}`
  if (isQuota(answer)) return `its API's quota is used up (${said})`
  if (answer.status === 401 || answer.status === 403) return `its API does not let us in (${said})`
  return answer.status >= 500 ? `its API is out of order (${said})` : `its API refuses (${said})`
}

const make = ({ keys, timeoutMillis, urls }: Access) =>
  Effect.gen(function*() {
    const http = yield* HttpClient.HttpClient
    const bans = yield* VenueBanStore
    const scrubbed = Redaction.make(Object.values(keys).flatMap((key) => key === undefined ? [] : [Redacted.value(key)]))
    const none = (reason: string) => new NoQuote({ reason: scrubbed(reason) })

    /** A ban spares a venue; while the database cannot tell, asking is no harm. */
    const banned = (venue: ApiVenue, { network }: NetworkBook) =>
      Effect.catch(bans.find(network, venue), (failure) =>
        Effect.as(Effect.logWarning(`whether ${venue} is banned on ${network} cannot be read`, failure), Option.none()))

    const ban = (venue: ApiVenue, { network }: NetworkBook, reason: string) =>
      Effect.andThen(
        Effect.logWarning(`${venue} is left alone on ${network} for 24 hours: ${reason}`),
        Effect.catch(bans.ban(network, venue, reason), (failure) => Effect.logWarning(`the ban of ${venue} cannot be written`, failure))
      )

    const fetched = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.gen(function*() {
        const response = yield* http.execute(request)
        return { status: response.status, text: yield* response.text } satisfies Answer
      }).pipe(
        Effect.timeoutOrElse({ duration: timeoutMillis, orElse: () => Effect.fail(none(`its API gave no answer within ${timeoutMillis / 1000} s`)) }),
        // What the HTTP client reports holds the URL, and a URL can hold an operator's key.
        Effect.catchTag("HttpClientError", (error) => none(partOf(error) === "RequestError" ? "its API cannot be reached" : "its API's answer breaks off"))
      )

    const askAt = (api: Api, book: NetworkBook, url: string, key: string): Ask => (answer, request) =>
      Effect.gen(function*() {
        const asked = request.pipe(
          HttpClientRequest.prependUrl(url),
          HttpClientRequest.acceptJson,
          HttpClientRequest.setHeaders(api.authorise?.(key) ?? {})
        )
        const got = yield* Effect.withTracerEnabled(fetched(asked), false)
        if (got.status !== 200) {
          const failure = none(reasonOf(got))
          if (isQuota(got)) yield* ban(api.venue, book, failure.reason)
          return yield* failure
        }
        const json = yield* Effect.mapError(Json(got.text), () => none("its API's answer breaks off"))
        return yield* Effect.mapError(Schema.decodeUnknownEffect(answer)(json), () => none("its API answers with what is no quote"))
      }).pipe(Effect.withSpan(
        `venue ${api.venue}`,
        { kind: "client", attributes: { network: book.network, endpoint: hostOf(url) } },
        { captureStackTrace: false }
      ))

    return AggregatorClient.of({
      open: (api, book) =>
        Effect.gen(function*() {
          const key = keys[api.venue]
          if (api.authorise !== undefined && key === undefined) return yield* none("no key for its API is configured")
          const found = yield* banned(api.venue, book)
          if (Option.isSome(found)) return yield* none(`left alone until ${found.value.until}, because ${found.value.reason}`)
          const url = book.aggregators[api.venue]?.url ?? urls[api.venue]
          return askAt(api, book, url, key === undefined ? "" : Redacted.value(key))
        })
    })
  })
