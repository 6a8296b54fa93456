/**
 * The HTTP client of a key provider: a hard limit for each request, few requests at a time, short retries, and a pause
 * after a request without an answer. A request is only ever a question or a signature of a digest, so a repeat does
 * nothing that the first one did not.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { type KeyFailure, KeyUnavailable, KeyUnusable } from "./KeyProvider.ts"

/** Limits of the requests to a provider. */
export interface Limits {
  /** Hard limit of one request. */
  readonly timeoutMillis: number
  /** Maximum number of requests at the same time. */
  readonly concurrency: number
}

/** The response to a request, read to its end. */
export interface Response {
  readonly status: number
  readonly text: string
}

export interface ProviderClient {
  readonly title: string
  readonly concurrency: number
  /** Sends a request, which `build` makes for each try, and reads the response. */
  readonly send: <A>(
    build: Effect.Effect<HttpClientRequest.HttpClientRequest, KeyFailure>,
    read: (response: Response) => Effect.Effect<A, KeyFailure>
  ) => Effect.Effect<A, KeyFailure>
}

/** How long a provider is not called after a request without an answer. */
const pauseMillis = 2_000

const retries = { times: 2, schedule: Schedule.exponential("100 millis") }

const isWorthRepeating = (failure: KeyFailure) =>
  failure._tag === "KeyUnavailable" && (failure.reason === "throttled" || failure.reason === "unreachable")

export const make = (
  title: string,
  { concurrency, timeoutMillis }: Limits
): Effect.Effect<ProviderClient, never, HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const http = yield* HttpClient.HttpClient
    const permits = yield* Semaphore.make(concurrency)
    let pausedUntil = Number.NEGATIVE_INFINITY
    const unreachable = (what: string) => new KeyUnavailable({ reason: "unreachable", message: `${title} ${what}.` })

    const tryOnce: ProviderClient["send"] = (build, read) =>
      Effect.gen(function*() {
        const request = yield* build
        const response = yield* http.execute(request)
        return { status: response.status, text: yield* response.text }
      }).pipe(
        // Drops the HTTP client's error: it contains the request with its credentials.
        Effect.catchTag("HttpClientError", () => unreachable("cannot be reached")),
        Effect.timeoutOrElse({
          duration: timeoutMillis,
          orElse: () =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => {
              pausedUntil = now + pauseMillis
              return unreachable(`gave no answer within ${timeoutMillis / 1000} s`)
            })
        }),
        Effect.flatMap(read),
        Effect.withTracerEnabled(false)
      )

    return {
      title,
      concurrency,
      send: (build, read) =>
        permits.withPermit(Effect.gen(function*() {
          if ((yield* Clock.currentTimeMillis) < pausedUntil) return yield* unreachable("gave no answer a moment ago")
          const before = pausedUntil
          return yield* Effect.retry(tryOnce(build, read), {
            ...retries,
            while: (failure) => isWorthRepeating(failure) && pausedUntil === before
          })
        }))
    }
  })

/** Decodes a response's JSON; anything else is unusable. */
export const decode = <A, I>(title: string, schema: Schema.Codec<A, I>, text: string): Effect.Effect<A, KeyUnusable> =>
  Effect.mapError(
    Schema.decodeEffect(Schema.fromJsonString(schema))(text),
    () => new KeyUnusable({ message: `${title} answered with something else than the key's signature or public key.` })
  )
