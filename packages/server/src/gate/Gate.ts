/**
 * Middleware of all requests: request id, rate limit by address, host check, response headers, JSON for unknown paths.
 */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Option from "effect/Option"
import { maximumBody } from "../wire/Body.ts"
import * as Wire from "../wire/Wire.ts"
import { Hosts } from "./Hosts.ts"
import { RateLimit } from "./RateLimit.ts"

const requestIdOf = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  const given = headers["x-request-id"] ?? ""
  return /^[\w.:-]{1,128}$/.test(given) ? given : crypto.randomUUID()
}

/** Logged in place of an unknown path, which may contain anything, even an API key. */
const unknownPath = "(unknown)"

/**
 * Returns the path without the query string, which may contain API keys, and without the token in an alert's path.
 * Neither is ever logged.
 */
const pathOf = (request: HttpServerRequest.HttpServerRequest) =>
  (request.url.split("?")[0] ?? "/").replace(/\/webhook\/.+/i, "/webhook/:token")

/**
 * Normalizes a path as the router does: it ignores case, escapes, doubled and trailing slashes, and everything after a
 * `;`. Returns an empty string for a malformed path.
 */
const routedPath = (path: string): string => {
  const [plain = ""] = path.replace(/^https?:\/\/.*?\//, "/").replace(/\/\/+/g, "/").split(/[;#]/)
  return Option.getOrElse(decoded(plain), () => "").replace(/(.)\/$/, "$1").toLowerCase()
}

const decoded = Option.liftThrowable(decodeURI)

const isRouteNotFound = (failed: unknown) =>
  HttpServerError.isHttpServerError(failed) && failed.reason._tag === "RouteNotFound"

/**
 * Returns true for paths without a rate limit: health probes, and the console's files, of which a page loads a dozen at
 * once from memory. The console's calls are limited by session; sign-in and opening the socket are limited like all
 * other requests.
 */
const unlimited = (path: string) =>
  path.startsWith("/health/") || (/^\/console(\/|$)/.test(path) && !/^\/console\/(sign-in|session|rpc)$/.test(path))

/** Returns true for a sign-in to the console. It needs no key but writes a row, so it has a budget. */
const signsIn = (path: string, { method }: HttpServerRequest.HttpServerRequest) =>
  path === "/console/sign-in" && method === "POST"

/** Returns true for paths that expose no data. Probes request them by any host name of the machine. */
const anyHost = (path: string) => path.startsWith("/health/") || path === "/version"

/** Returns true for probes and for the console's socket, which is open for hours. */
const untraced = (path: string) => path.startsWith("/health/") || path === "/console/rpc"

/** Runs the request in a span, as part of the caller's trace if it names one (`traceparent`). */
const traced = <A, E, R>(answer: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (request) =>
      untraced(pathOf(request)) ? answer : Effect.withSpan(answer, `http.server ${request.method}`, {
        kind: "server",
        parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers)),
        captureStackTrace: false
      })
  )

export const GateLive = HttpRouter.middleware(
  Effect.gen(function*() {
    const limiter = yield* RateLimit
    const hosts = yield* Hosts
    return (answer) =>
      Effect.gen(function*() {
        const request = yield* HttpServerRequest.HttpServerRequest
        const path = pathOf(request)
        const routed = routedPath(path)
        const requestId = requestIdOf(request)
        const started = performance.now()
        const address = unlimited(routed) ? Option.none() : yield* limiter.ofAddress(request)
        // Probes use the machine's name, not the service's.
        const early = Option.isSome(address) || anyHost(path) ? address : hosts.refusal(request)
        const refused = Option.isNone(early) && signsIn(routed, request)
          ? yield* limiter.ofCreation("signIns", limiter.clientOf(request))
          : early
        const response = Option.isSome(refused) ? refused.value : yield* answer.pipe(
          Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maximumBody)),
          Effect.catch((failed) =>
            isRouteNotFound(failed)
              ? Effect.succeed(Wire.error(404, "There is no such path; /__docs__ lists the endpoints."))
              : Effect.fail(failed)
          ),
          Effect.annotateLogs({ request_id: requestId })
        )
        const route = response.status === 404 || Option.isSome(refused) ? unknownPath : path
        yield* Effect.annotateCurrentSpan({
          "http.request.method": request.method,
          "http.route": route,
          "http.response.status_code": response.status,
          "request.id": requestId
        })
        yield* Effect.logDebug("answered").pipe(Effect.annotateLogs({
          request_id: requestId,
          method: request.method,
          path: route,
          status: response.status,
          ms: Math.round(performance.now() - started)
        }))
        return HttpServerResponse.setHeaders(response, {
          "X-Request-Id": requestId,
          "Cache-Control": response.headers["cache-control"] ?? "no-store",
          "Referrer-Policy": response.headers["referrer-policy"] ?? "no-referrer",
          "X-Content-Type-Options": "nosniff"
        })
      }).pipe(traced)
  }),
  { global: true }
)
