/** What every request passes and every answer carries: a request id, the address's rate, the headers, JSON for what is not there. */
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

/** What somebody typed instead of a path of ours may be anything, a key too. */
const unknownPath = "(unknown)"

/** The path alone: a query string carries API keys and is never logged, traced or echoed; nor is the token of an alert's path. */
const pathOf = (request: HttpServerRequest.HttpServerRequest) => (request.url.split("?")[0] ?? "/").replace(/\/webhook\/.+/i, "/webhook/:token")

/**
 * The path as the router reads it, which takes any case, escapes, doubled and trailing slashes, and what follows a `;`, for the same path. Empty
 * for a path that cannot be read.
 */
const routedPath = (path: string): string => {
  const [plain = ""] = path.replace(/^https?:\/\/.*?\//, "/").replace(/\/\/+/g, "/").split(/[;#]/)
  return Option.getOrElse(decoded(plain), () => "").replace(/(.)\/$/, "$1").toLowerCase()
}

const decoded = Option.liftThrowable(decodeURI)

const isRouteNotFound = (failed: unknown) => HttpServerError.isHttpServerError(failed) && failed.reason._tag === "RouteNotFound"

/**
 * Health is asked by machines at their own pace. A page of the console loads a dozen files at once, from memory, and its requests are
 * limited by session; signing in and opening its socket are limited as everything else.
 */
const unlimited = (path: string) => path.startsWith("/health/") || (/^\/console(\/|$)/.test(path) && !/^\/console\/(sign-in|session|rpc)$/.test(path))

/** Signing in to the console takes no key, and leaves a row: it has a budget. */
const signsIn = (path: string, { method }: HttpServerRequest.HttpServerRequest) => path === "/console/sign-in" && method === "POST"

/** Paths that tell nothing of anybody, and are asked by whatever name the machine has. */
const untold = (path: string) => path.startsWith("/health/") || path === "/version"

/** Spans and lines are for requests that are answered; a socket is open for hours. */
const untraced = (path: string) => path.startsWith("/health/") || path === "/console/rpc"

/** The request as a span, inside of the caller's trace when it names one (`traceparent`). */
const traced = <A, E, R>(answer: Effect.Effect<A, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    untraced(pathOf(request)) ? answer : Effect.withSpan(answer, `http.server ${request.method}`, {
      kind: "server",
      parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers)),
      captureStackTrace: false
    }))

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
        // Probes name the machine they look at, not the service.
        const early = Option.isSome(address) || untold(path) ? address : hosts.refusal(request)
        const refused = Option.isNone(early) && signsIn(routed, request) ? yield* limiter.ofCreation("signIns", limiter.clientOf(request)) : early
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
