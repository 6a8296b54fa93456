/**
 * The gate of all requests: request id, rate limit by address, host check, response headers, JSON for unknown paths.
 */
import * as RecordedSpan from "@vault-trader/core/telemetry/RecordedSpan"
import * as ByteSize from "effect/ByteSize"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as References from "effect/References"
import { maximumBody } from "../wire/Body.ts"
import { pathOf as pathOfUrl, type RequestHead } from "../wire/RequestHead.ts"
import * as Wire from "../wire/Wire.ts"
import { Hosts } from "./Hosts.ts"
import { RateLimit } from "./RateLimit.ts"

/** Returns the id under which a request is recorded: the caller's, or a new one. */
const requestIdOf = ({ headers }: RequestHead) => {
  const given = headers["x-request-id"] ?? ""
  return /^[\w.:-]{1,128}$/.test(given) ? given : crypto.randomUUID()
}

/** Logged in place of an unknown path, which may contain anything, even an API key. */
const unknownPath = "(unknown)"

/**
 * Returns the path without the query string, which may contain API keys, and without the token in an alert's path.
 * Neither is ever logged.
 */
const pathOf = (request: RequestHead) => pathOfUrl(request).replace(/\/webhook\/.+/i, "/webhook/:token")

/**
 * Normalizes a path as the router does: it ignores case, escapes, doubled and trailing slashes, and everything after a
 * `;`. Returns an empty string for a malformed path.
 */
const routedPath = (path: string): string => {
  if (/^(\/[\w-]+)+$/.test(path)) return path.toLowerCase()
  const [plain = ""] = path.replace(/^https?:\/\/.*?\//, "/").replace(/\/\/+/g, "/").split(/[;#]/)
  return Option.getOrElse(decoded(plain), () => "").replace(/(.)\/$/, "$1").toLowerCase()
}

const decoded = Option.liftThrowable(decodeURI)

const isRouteNotFound = (failed: unknown) =>
  HttpServerError.isHttpServerError(failed) && failed.reason._tag === "RouteNotFound"

/**
 * Returns true for paths without a rate limit: health probes, and the files of the console and of the documentation, of
 * which a page loads a dozen at once from memory. The console's calls are limited by session; sign-in and opening the
 * socket are limited like all other requests.
 */
const unlimited = (path: string) =>
  path.startsWith("/health/") || /^\/docs(\/|$)/.test(path) ||
  (/^\/console(\/|$)/.test(path) && !/^\/console\/(sign-in|session|rpc)$/.test(path))

/** Returns true for a sign-in to the console. It needs no key but writes a row, so it has a budget. */
const signsIn = (path: string, { method }: RequestHead) => path === "/console/sign-in" && method === "POST"

/** Returns true for paths that expose no data. Probes request them by any host name of the machine. */
const anyHost = (path: string) => path.startsWith("/health/") || path === "/version"

/** Returns true for probes and for the console's socket, which is open for hours. */
const untraced = (path: string) => path.startsWith("/health/") || path === "/console/rpc"

/** Runs the request in a span, as part of the caller's trace if it names one (`traceparent`). */
const traced = (request: RequestHead, path: string) => <A, E, R>(answer: Effect.Effect<A, E, R>) =>
  untraced(path) ? answer : Effect.withFiber<A, E, R>((fiber) =>
    fiber.getRef(References.TracerEnabled)
      ? RecordedSpan.withSpan(`http.server ${request.method}`, {
        kind: "server",
        parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(Headers.fromInput(request.headers)))
      })(answer)
      : answer
  )

/** An answered request, as it is recorded. */
interface Answered {
  readonly request: RequestHead
  readonly requestId: string
  readonly route: string
  readonly status: number
  readonly millis: number
}

/** Records an answer in the request's span and in the debug log, where there are such. */
const record = ({ millis, request: { method }, requestId, route, status }: Answered): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const logged = LogLevel.isGreaterThan(fiber.getRef(References.MinimumLogLevel), "Debug")
      ? Effect.void
      : Effect.logDebug("answered").pipe(
        Effect.annotateLogs({ request_id: requestId, method, path: route, status, ms: Math.round(millis) })
      )
    const attributes = {
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": status,
      "request.id": requestId
    }
    return Effect.andThen(RecordedSpan.whenRecorded(Effect.annotateCurrentSpan(attributes)), logged)
  })

const secured = {
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff"
}

/** Sets the headers of every response; a response's own `Cache-Control` and `Referrer-Policy` stay. */
const withHeaders = (response: HttpServerResponse.HttpServerResponse, requestId: string) =>
  HttpServerResponse.setHeaders(response, {
    ...secured,
    "X-Request-Id": requestId,
    "Cache-Control": response.headers["cache-control"] ?? "no-store",
    "Referrer-Policy": response.headers["referrer-policy"] ?? secured["Referrer-Policy"]
  })

/** A request that has arrived at the gate. */
export interface Entered {
  readonly requestId: string
  /** The response that refuses it, if any. */
  readonly refused: Option.Option<HttpServerResponse.HttpServerResponse>
}

export interface Gate {
  /** Lets a request pass to its answer, or refuses it; in both cases the response has the headers of every response. */
  readonly pass: <E, R>(
    request: RequestHead,
    answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  /**
   * The same for a read of an endpoint, in two plain functions: counts the request and returns who refuses it; and
   * completes its response. Neither is traced or logged.
   */
  readonly enter: (request: RequestHead, now: number) => Entered
  readonly complete: typeof withHeaders
}

/** Builds the gate. */
export const make: Effect.Effect<Gate, never, RateLimit | Hosts> = Effect.gen(function*() {
  const limiter = yield* RateLimit
  const hosts = yield* Hosts
  const refusalAt = (request: RequestHead, path: string, routed: string, now: number) => {
    const address = unlimited(routed) ? Option.none() : limiter.ofAddress(request, now)
    // Probes use the machine's name, not the service's.
    return Option.isSome(address) || anyHost(path) ? address : hosts.refusal(request)
  }
  const refusal = (request: RequestHead, path: string, routed: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const early = refusalAt(request, path, routed, now)
      return Option.isNone(early) && signsIn(routed, request)
        ? limiter.ofCreation("signIns", limiter.clientOf(request))
        : Effect.succeed(early)
    })
  const enter: Gate["enter"] = (request, now) => {
    const path = pathOfUrl(request)
    return { requestId: requestIdOf(request), refused: refusalAt(request, path, routedPath(path), now) }
  }
  const pass: Gate["pass"] = (request, answer) => {
    const path = pathOf(request)
    const passed = Effect.gen(function*() {
      const requestId = requestIdOf(request)
      const started = performance.now()
      const refused = yield* refusal(request, path, routedPath(path))
      const response = Option.isSome(refused)
        ? refused.value
        : yield* Effect.annotateLogs(answer, { request_id: requestId })
      const route = response.status === 404 || Option.isSome(refused) ? unknownPath : path
      const { status } = response
      yield* record({ request, requestId, route, status, millis: performance.now() - started })
      return withHeaders(response, requestId)
    })
    return traced(request, path)(passed)
  }
  return { pass, enter, complete: withHeaders }
})

export const GateLive = HttpRouter.middleware(
  Effect.map(make, ({ pass }) => (answer) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      pass(
        request,
        answer.pipe(
          Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maximumBody)),
          Effect.catch((failed) =>
            isRouteNotFound(failed)
              ? Effect.succeed(Wire.error(404, "There is no such path; /__docs__ lists the endpoints."))
              : Effect.fail(failed)
          )
        )
      ))),
  { global: true }
)
