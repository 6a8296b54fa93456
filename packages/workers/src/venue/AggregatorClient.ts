/** Client of the venues' HTTP APIs: URLs, keys, timeouts and bans. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { AggregatorBooks, NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Redaction from "@vault-trader/core/telemetry/Redaction"
import { type BannedName, type BanTerms, VenueBanStore } from "@vault-trader/core/venue/VenueBanStore"
import * as Clock from "effect/Clock"
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
import { type Pause, pauseOf, reasonOf, type Refusal } from "./Refusal.ts"
import { NoQuote } from "./NoQuote.ts"

/** Venues whose quotes come from an HTTP API. */
export type ApiVenue = keyof typeof AggregatorBooks.Type

/** Ways to quote on the chain alone. `unoswap`: 1inch's router without its API. Operators ban them by these names. */
export type OnChainVenue = Exclude<BannedName, ApiVenue>

/** One API as its adapter declares it. */
export interface Api {
  readonly venue: ApiVenue
  /** Returns the authentication headers for a key; absent when the API needs none. */
  readonly authorise?: (key: string) => Readonly<Record<string, string>>
}

export interface Access {
  /** Base URLs, used unless the network's book overrides them. */
  readonly urls: Readonly<Record<ApiVenue, string>>
  readonly keys: { readonly [K in ApiVenue]?: Redacted.Redacted<string> | undefined }
  /** Hard limit of one request. */
  readonly timeoutMillis: number
}

/** The public APIs, without a key. */
export const defaultAccess: Access = {
  urls: {
    "1inch": "https://api.1inch.dev",
    kyberswap: "https://aggregator-api.kyberswap.com",
    odosV3: "https://enterprise-api.odos.xyz"
  },
  keys: {},
  timeoutMillis: 5_000
}

/** Sends a request and decodes the response. Every failure is a `NoQuote` whose reason contains no secret. */
type SendRequest = <A, I>(
  answer: Schema.Codec<A, I>,
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<A, NoQuote>

export class AggregatorClient extends Context.Service<AggregatorClient, {
  /**
   * Opens the API of a venue on a network for a wallet. Fails with `NoQuote` without credentials, while the venue is
   * banned there, and while the wallet pauses.
   */
  readonly open: (api: Api, book: NetworkBook, wallet: Address) => Effect.Effect<SendRequest, NoQuote>
  /** Fails with `NoQuote` while a venue without an API is banned on the network. */
  readonly refuseBanned: (venue: OnChainVenue, book: NetworkBook, wallet: Address) => Effect.Effect<void, NoQuote>
  /** Hard limit of one request, and of each quote where several venues are quoted side by side. */
  readonly timeoutMillis: number
}>()("vault-trader/workers/venue/AggregatorClient") {
  static readonly layer = (
    access: Access
  ): Layer.Layer<AggregatorClient, never, HttpClient.HttpClient | VenueBanStore> =>
    Layer.effect(AggregatorClient, make(access))
}

/**
 * Builds the client over the platform's HTTP client. Redirects are not followed: they would send keys to another host.
 */
export const overFetch = (access: Access): Layer.Layer<AggregatorClient, never, VenueBanStore> =>
  AggregatorClient.layer(access).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )

/** Access to the venues' APIs of this process. */
export const VenueAccess = Context.Reference<Access>("vault-trader/workers/venue/VenueAccess", {
  defaultValue: () => defaultAccess
})

/** The client with the configured access. */
export const AggregatorClientLive = Layer.unwrap(Effect.map(VenueAccess, overFetch)).pipe(
  Layer.provide(VenueBanStore.layer)
)

const Json = Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))

/** Reads and writes bans and pauses, and only logs when the database fails. */
const venueBans = (bans: VenueBanStore["Service"]) => {
  /**
   * Finds the venue's ban, or the wallet's pause. When the database cannot be read the venue counts as not banned: a
   * request does no harm.
   */
  const findBan = (venue: BannedName, { network }: NetworkBook, wallet: Address) =>
    Effect.catch(
      bans.find(network, venue, wallet),
      (failure) =>
        Effect.as(Effect.logWarning(`the ban of ${venue} on ${network} cannot be read`, failure), Option.none())
    )

  /**
   * Every request uses the operator's key or address, so a ban applies to all callers. Too many requests are those of
   * one wallet: it pauses, and cannot take the venue from the others.
   */
  const pause = (
    venue: ApiVenue,
    { network }: NetworkBook,
    wallet: Address,
    { of, ...terms }: Pause & BanTerms
  ) => {
    const whom = of === "everyone" ? "" : ` for ${wallet}`
    const written = of === "everyone"
      ? bans.ban(network, venue, terms)
      : bans.pause(network, venue, wallet, terms)
    return Effect.andThen(
      Effect.logWarning(`${venue} is not called on ${network}${whom} for ${terms.seconds} s: ${terms.reason}`),
      Effect.catch(written, (failure) => Effect.logWarning(`the ban of ${venue} cannot be written`, failure))
    )
  }
  return { findBan, pause }
}

const make = ({ keys, timeoutMillis, urls }: Access) =>
  Effect.gen(function*() {
    const http = yield* HttpClient.HttpClient
    const { findBan, pause } = venueBans(yield* VenueBanStore)
    const redact = Redaction.make(Object.values(keys).flatMap((key) => key === undefined ? [] : [Redacted.value(key)]))
    const noQuote = (reason: string) => new NoQuote({ reason: redact(reason) })

    const send = (request: HttpClientRequest.HttpClientRequest) =>
      Effect.gen(function*() {
        const response = yield* http.execute(request)
        const { headers, status } = response
        return { status, text: yield* response.text, retryAfter: headers["retry-after"] } satisfies Refusal
      }).pipe(
        Effect.timeoutOrElse({
          duration: timeoutMillis,
          orElse: () => Effect.fail(noQuote(`its API gave no answer within ${timeoutMillis / 1000} s`))
        }),
        // Drops the HTTP client's error: it contains the URL, which can contain an operator's key.
        Effect.catchTag(
          "HttpClientError",
          (error) =>
            noQuote(partOf(error) === "RequestError" ? "its API cannot be reached" : "its API's response is incomplete")
        )
      )

    const sendTo = (
      { api, book, wallet }: { readonly api: Api; readonly book: NetworkBook; readonly wallet: Address },
      url: string,
      key: string
    ): SendRequest =>
    (answer, request) =>
      Effect.gen(function*() {
        const prepared = request.pipe(
          HttpClientRequest.prependUrl(url),
          HttpClientRequest.acceptJson,
          HttpClientRequest.setHeaders(api.authorise?.(key) ?? {})
        )
        const response = yield* Effect.withTracerEnabled(send(prepared), false)
        if (response.status !== 200) {
          const failure = noQuote(reasonOf(response))
          const found = pauseOf(response, yield* Clock.currentTimeMillis)
          if (found !== undefined) yield* pause(api.venue, book, wallet, { reason: failure.reason, ...found })
          return yield* failure
        }
        const json = yield* Effect.mapError(Json(response.text), () => noQuote("its API's response is incomplete"))
        return yield* Effect.mapError(
          Schema.decodeUnknownEffect(answer)(json),
          () => noQuote("its API's response is not a quote")
        )
      }).pipe(Effect.withSpan(
        `venue ${api.venue}`,
        { kind: "client", attributes: { network: book.network, endpoint: hostOf(url) } },
        { captureStackTrace: false }
      ))

    const refuseBanned = (venue: BannedName, book: NetworkBook, wallet: Address) =>
      Effect.gen(function*() {
        const found = yield* findBan(venue, book, wallet)
        if (Option.isSome(found)) {
          return yield* noQuote(`not called until ${found.value.until}, because ${found.value.reason}`)
        }
      })

    return AggregatorClient.of({
      refuseBanned,
      timeoutMillis,
      open: (api, book, wallet) =>
        Effect.gen(function*() {
          const key = keys[api.venue]
          if (api.authorise !== undefined && key === undefined) {
            return yield* new NoQuote({ reason: "no key for its API is configured", keyMissing: true })
          }
          yield* refuseBanned(api.venue, book, wallet)
          const url = book.aggregators[api.venue]?.url ?? urls[api.venue]
          return sendTo({ api, book, wallet }, url, key === undefined ? "" : Redacted.value(key))
        })
    })
  })
