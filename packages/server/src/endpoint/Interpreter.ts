/**
 * Serves the catalogue over HTTP by one fold. No endpoint is named here; if one needs a line of its own, the fold is
 * wrong.
 */
import { mediaTypeOf } from "@vault-trader/core/endpoint/BodyText"
import { type EndpointFacts, factsOfGroup } from "@vault-trader/core/endpoint/Endpoint"
import { Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { countDatabaseErrors as countingDatabaseErrors } from "@vault-trader/core/telemetry/DatabaseErrors"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { disconnectAfter } from "../gate/ActorCall.ts"
import * as ServiceUnavailable from "../wire/ServiceUnavailable.ts"
import { GracefulShutdown } from "../gate/GracefulShutdown.ts"
import { RateLimit } from "../gate/RateLimit.ts"
import { RequestSource, type Source } from "../wire/RequestSource.ts"
import * as RequestState from "../wire/RequestState.ts"
import { IdempotentWrites, nameOf } from "../gate/IdempotentWrites.ts"
import * as DirectCall from "./DirectCall.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import * as AuditActor from "../wire/AuditActor.ts"
import * as AnswerForm from "../wire/AnswerForm.ts"
import * as Body from "../wire/Body.ts"
import * as CachedDocument from "../wire/CachedDocument.ts"
import * as DeprecationHeaders from "../wire/DeprecationHeaders.ts"
import { decode } from "../params/RequestParams.ts"
import * as Wire from "../wire/Wire.ts"

const isFailure = Schema.is(Failure)

/** Returns true for prefetches: GETs that browsers send before the user acts must not move funds. */
const isPrefetch = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  /prefetch|prerender/i.test(`${headers["sec-purpose"] ?? ""} ${headers["purpose"] ?? ""} ${headers["x-moz"] ?? ""}`)

/** Builds the response to a defect: 503 if the database caused it, otherwise 500. */
const defectResponse = (progress: ServiceUnavailable.RequestProgress, cause: Cause.Cause<unknown>) =>
  Effect.gen(function*() {
    yield* Effect.logError("a request failed with a defect", cause)
    return Option.getOrElse(
      ServiceUnavailable.answerOf(progress, cause),
      () =>
        Wire.error(500, "Internal error. The service's operator can find the cause by this response's X-Request-Id.")
    )
  })

const unreadable = ({ tooLarge }: Body.BodyUnreadable) =>
  tooLarge
    ? Wire.error(413, `The body is larger than ${Body.maximumBody} bytes.`)
    : Wire.error(400, "The body ended before it was complete.")

/** Adds to a refusal for a parameter why the body had none, if it was not empty and the endpoint does not read text. */
const withBodyFault = (facts: EndpointFacts, { fault }: Body.RequestBody, failed: Failure): Failure =>
  fault === undefined || failed._tag !== "ValidationFailure" || failed.code !== "1010" ||
    facts.params.some(({ info }) => info.text)
    ? failed
    : new ValidationFailure({ code: failed.code, message: `${failed.message}. ${fault}` })

/** Gives the request itself to a handler that judges it. */
const withSource = <A, E, R>(
  handled: Effect.Effect<A, E, R>,
  request: HttpServerRequest.HttpServerRequest,
  { raw }: Body.RequestBody,
  refusals: Source["refusals"],
  limiter: RateLimit["Service"]
): Effect.Effect<A, E, R> =>
  Effect.provideService(handled, RequestSource, {
    address: limiter.addressOf(request),
    mediaType: mediaTypeOf(request.headers["content-type"]),
    body: raw,
    query: new URL(request.url, "http://localhost").search,
    refusals
  })

/** The response to a caller who only accepts a version of the service's media type that does not exist. */
const notAcceptable = Wire.error(
  406,
  `Accept names a media type that is not offered; accepted: ${AnswerForm.accepted}.`
)

/** Completes a change even if its caller disconnects; webhook senders do, and do not retry. */
const uninterruptedWrite =
  (facts: EndpointFacts, scope: Scope.Scope) => <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    facts.class === "readOnly" ? answer : Effect.flatMap(Effect.forkIn(answer, scope), Fiber.join)

interface Serving {
  readonly call: DirectCall.Call
  readonly documents: CachedDocument.Documents
  readonly scope: Scope.Scope
}

const handle = (facts: EndpointFacts, { call, documents, scope }: Serving) => {
  const encode = Schema.encodeUnknownEffect(facts.success)
  const answer = (state: RequestState.State, form: AnswerForm.AnswerForm) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (facts.class !== "readOnly" && isPrefetch(request)) {
        return Wire.error(403, `${facts.name} changes something and is not executed for a prefetch.`)
      }
      const limiter = yield* RateLimit
      const { admit } = yield* Gatekeeper
      const writes = yield* IdempotentWrites
      const ending = yield* GracefulShutdown
      const body = yield* Effect.timeoutOrElse(Body.read(request), {
        duration: yield* RequestState.untilDeadline(state),
        orElse: () => Effect.fail(new Body.BodyLate())
      })
      const { params, refusals } = decode(facts, {
        path: (yield* HttpRouter.RouteContext).params,
        query: new URL(request.url, "http://localhost").searchParams,
        body: body.members,
        text: body.text,
        headers: request.headers
      })
      const throttle = yield* limiter.ofKey(params["apiKey"] ?? params["gas_wallet_api_key"])
      if (Option.isSome(throttle)) return throttle.value
      const budget = facts.creates === undefined
        ? Option.none()
        : yield* limiter.ofCreation(facts.creates, limiter.clientOf(request))
      if (Option.isSome(budget)) return budget.value
      state.name = nameOf(facts, params)
      // A request that does not decode still goes through admission: which error is reported also depends on its key
      // and vault.
      const refused = refusals.length > 0 && !facts.judges ? Effect.asVoid(admit(facts, params, refusals)) : Effect.void
      const handled = Effect.andThen(refused, Effect.suspend(() => call(facts.name, params)))
      const judged = facts.judges ? withSource(handled, request, body, refusals, limiter) : handled
      const called = uninterruptedWrite(facts, scope)(ending.track(writes.settled(judged)))
      // Every step limits itself to the remaining time; this catches steps that do not.
      const duration = yield* RequestState.untilDeadline(state)
      const result = yield* disconnectAfter(called, duration, () => Effect.fail(new ServiceUnavailable.Late())).pipe(
        Effect.catch((failed) =>
          isFailure(failed) || failed instanceof ServiceUnavailable.Late ? Effect.fail(failed) : Effect.die(failed)
        ),
        Effect.mapError((failed) => isFailure(failed) ? withBodyFault(facts, body, failed) : failed)
      )
      const response = Wire.success((yield* Effect.orDie(encode(result))) as Record<string, unknown>, form)
      return facts.isDocument ? yield* documents.send(response) : response
    })
  return Effect.gen(function*() {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const form = AnswerForm.preferred(headers["accept"])
    if (form === undefined) return notAcceptable
    const state = yield* RequestState.begin
    const progress = () => ServiceUnavailable.progressOf(facts.class, state, form)
    return yield* answer(state, form).pipe(
      Effect.catch((failed) =>
        Effect.sync(() =>
          failed._tag === "BodyUnreadable"
            ? unreadable(failed)
            : failed._tag === "BodyLate"
            ? Wire.error(408, "The body did not arrive in time, so this request was not read. Repeat it.")
            : failed._tag === "Late"
            ? ServiceUnavailable.late(progress())
            : Wire.failure(failed, form)
        )
      ),
      countingDatabaseErrors,
      // The handler was interrupted. A disconnect of the caller would interrupt this fiber too and never get here.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.sync(() => ServiceUnavailable.ended(progress()))
          : defectResponse(progress(), cause)
      ),
      Effect.provideService(RequestState.RequestState, state),
      AuditActor.fromClient((yield* RateLimit).clientOf(yield* HttpServerRequest.HttpServerRequest))
    )
  }).pipe(
    counted(facts.name),
    Effect.withSpan(`endpoint ${facts.name}`, undefined, { captureStackTrace: false })
  )
}

/** Records the response and its duration in metrics. */
const counted = (endpoint: string) => <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(Effect.timed(answer), ([took, response]) =>
    Effect.as(
      Effect.andThen(
        Metrics.count(Metrics.httpRequests, { endpoint, status: String(response.status) }),
        Metrics.observe(Metrics.httpSeconds, { endpoint }, Duration.toSeconds(took))
      ),
      response
    ))

const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/**
 * Returns true for a HEAD request of an endpoint that changes something: the router treats HEAD as GET, but only reads
 * may answer it.
 */
const isHeadOfChange = (facts: EndpointFacts, { method }: HttpServerRequest.HttpServerRequest) =>
  method === "HEAD" && facts.class !== "readOnly"

interface Mounting {
  /**
   * Returns an additional path for one of the catalogue's, if any. It is not documented, and the catalogue's own paths
   * win over it.
   */
  readonly also?: (path: `/${string}`) => `/${string}` | undefined
}

/** Returns every path of an endpoint, without additional paths that are `taken`. */
const pathsOf = ({ paths }: EndpointFacts, { also }: Mounting, taken: ReadonlySet<string>) => {
  const further = paths.flatMap((path) => also?.(path) ?? []).filter((path) => !taken.has(path))
  return new Set([...paths, ...further])
}

/** Mounts every endpoint of a group at all its paths and methods; other methods return 405. */
export const layer = <Rpcs extends Rpc.Any>(
  group: RpcGroup.RpcGroup<Rpcs>,
  mounting: Mounting = {}
): Layer.Layer<
  never,
  never,
  | HttpRouter.HttpRouter
  | RateLimit
  | Gatekeeper
  | IdempotentWrites
  | GracefulShutdown
  | Rpc.ToHandler<Rpcs>
  | Rpc.Middleware<Rpcs>
> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const context = yield* Effect.context<RateLimit | Gatekeeper | IdempotentWrites | GracefulShutdown>()
    const call = yield* DirectCall.make(group)
    const ending = yield* GracefulShutdown
    // A separate scope: fibers forked into this layer's scope would be interrupted first.
    const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
    // Resources acquired before this finalizer stay available until the requests in progress are answered.
    yield* Effect.addFinalizer(() => ending.drain)
    const serving = { call, documents: CachedDocument.make(), scope }
    const taken = new Set<string>(factsOfGroup(group).flatMap(({ paths }) => paths))
    for (const facts of factsOfGroup(group)) {
      const refuse = Effect.succeed(
        Wire.error(405, `${facts.name} is called with ${facts.methods.join(" or ")}.`).pipe(
          HttpServerResponse.setHeader("Allow", facts.methods.join(", "))
        )
      )
      const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        isHeadOfChange(facts, request)
          ? refuse
          : Effect.map(Effect.provide(handle(facts, serving), context), DeprecationHeaders.of(facts)))
      for (const path of pathsOf(facts, mounting, taken)) {
        for (const method of httpMethods) {
          yield* router.add(
            method,
            path,
            facts.methods.some((allowed) => allowed === method)
              ? answer
              : refuse
          )
        }
      }
    }
  }))
