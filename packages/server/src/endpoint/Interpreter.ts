/**
 * Serves the catalogue over HTTP by one fold. No endpoint is named here; if one needs a line of its own, the fold is
 * wrong.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as AnswerEncoder from "@vault-trader/core/endpoint/AnswerEncoder"
import { mediaTypeOf } from "@vault-trader/core/endpoint/BodyText"
import { type EndpointFacts, factsOfGroup } from "@vault-trader/core/endpoint/Endpoint"
import { Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { countDatabaseErrors as countingDatabaseErrors } from "@vault-trader/core/telemetry/DatabaseErrors"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as RecordedSpan from "@vault-trader/core/telemetry/RecordedSpan"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
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
import type { Hosts } from "../gate/Hosts.ts"
import { RateLimit } from "../gate/RateLimit.ts"
import { RequestSource, type Source } from "../wire/RequestSource.ts"
import * as RequestState from "../wire/RequestState.ts"
import { IdempotentWrites, nameOf } from "../gate/IdempotentWrites.ts"
import * as DirectCall from "./DirectCall.ts"
import type { Answer, Arrived } from "./Arrived.ts"
import * as DirectReads from "./DirectReads.ts"
import { Gatekeeper } from "./Gatekeeper.ts"
import * as AuditActor from "../wire/AuditActor.ts"
import * as AnswerForm from "../wire/AnswerForm.ts"
import * as Body from "../wire/Body.ts"
import { CallerAddress } from "../wire/CallerAddress.ts"
import * as CachedDocument from "../wire/CachedDocument.ts"
import * as DeprecationHeaders from "../wire/DeprecationHeaders.ts"
import { decode } from "../params/RequestParams.ts"
import { queryOf, type RequestHead } from "../wire/RequestHead.ts"
import * as Wire from "../wire/Wire.ts"

const isFailure = Schema.is(Failure)

/** Returns true for prefetches: GETs that browsers send before the user acts must not move funds. */
const isPrefetch = ({ headers }: RequestHead) =>
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
  request: RequestHead,
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
  /** Begins a request with the service's time limit. */
  readonly begin: Effect.Effect<RequestState.State>
  readonly call: DirectCall.Call
  readonly documents: CachedDocument.Documents
  readonly ending: GracefulShutdown["Service"]
  readonly gatekeeper: Gatekeeper["Service"]
  readonly limiter: RateLimit["Service"]
  readonly scope: Scope.Scope
  readonly writes: IdempotentWrites["Service"]
}

/** Reads the body until the request's deadline. */
const bodyOf = ({ head, incoming }: Arrived, state: RequestState.State) => {
  const absent = Body.absent(head)
  return absent === undefined
    ? Effect.flatMap(RequestState.untilDeadline(state), (duration) =>
      Effect.timeoutOrElse(Body.read(incoming, head), {
        duration,
        orElse: () => Effect.fail(new Body.BodyLate())
      }))
    : Effect.succeed(absent)
}

/** Returns the response of a request that is beyond its key's rate, or beyond a budget for what it creates. */
const throttled = ({ creates }: EndpointFacts, limiter: RateLimit["Service"], head: RequestHead, apiKey: unknown) =>
  Effect.flatMap(limiter.ofKey(apiKey), (throttle) =>
    Option.isSome(throttle) || creates === undefined
      ? Effect.succeed(throttle)
      : limiter.ofCreation(creates, limiter.clientOf(head)))

/** Returns the encoder of an endpoint's answers. An answer that is not as declared is a defect. */
const encoderOf = ({ success }: EndpointFacts): (answer: unknown) => Effect.Effect<unknown> => {
  const plain = AnswerEncoder.compile(success)
  const encode = Schema.encodeUnknownEffect(success)
  return plain === undefined
    ? (answer) => Effect.orDie(encode(answer))
    : (answer) => Effect.sync(() => plain(answer))
}

const handle = (facts: EndpointFacts, serving: Serving) => {
  const { begin, call, documents, ending, gatekeeper, limiter, scope, writes } = serving
  const encode = encoderOf(facts)
  const count = counted(facts.name)
  const withDeprecation = DeprecationHeaders.of(facts)
  const traced = RecordedSpan.withSpan(`endpoint ${facts.name}`)
  const answer = (arrived: Arrived, state: RequestState.State, form: AnswerForm.AnswerForm) =>
    Effect.gen(function*() {
      const { head } = arrived
      if (facts.class !== "readOnly" && isPrefetch(head)) {
        return Wire.error(403, `${facts.name} changes something and is not executed for a prefetch.`)
      }
      const body = yield* bodyOf(arrived, state)
      const { params, refusals } = decode(facts, {
        path: arrived.path,
        query: queryOf(head),
        body: body.members,
        text: body.text,
        headers: head.headers
      })
      const throttle = yield* throttled(facts, limiter, head, params["apiKey"] ?? params["gas_wallet_api_key"])
      if (Option.isSome(throttle)) return throttle.value
      state.name = nameOf(facts, params)
      // A request that does not decode still goes through admission: which error is reported also depends on its key
      // and vault.
      const handled = refusals.length > 0 && !facts.judges
        ? Effect.andThen(gatekeeper.admit(facts, params, refusals), Effect.suspend(() => call(facts.name, params)))
        : call(facts.name, params)
      const judged = facts.judges ? withSource(handled, head, body, refusals, limiter) : handled
      const called = uninterruptedWrite(facts, scope)(ending.track(writes.settled(judged)))
      // Every step limits itself to the remaining time; this catches steps that do not.
      const duration = yield* RequestState.untilDeadline(state)
      const result = yield* disconnectAfter(called, duration, () => Effect.fail(new ServiceUnavailable.Late())).pipe(
        Effect.catch((failed) =>
          isFailure(failed) || failed instanceof ServiceUnavailable.Late ? Effect.fail(failed) : Effect.die(failed)
        ),
        Effect.mapError((failed) => isFailure(failed) ? withBodyFault(facts, body, failed) : failed)
      )
      const response = Wire.success((yield* encode(result)) as Record<string, unknown>, form)
      return facts.isDocument ? yield* documents.send(response, head) : response
    })
  return (arrived: Arrived): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
    Effect.gen(function*() {
      const form = AnswerForm.preferred(arrived.head.headers["accept"])
      if (form === undefined) return notAcceptable
      const state = yield* begin
      const progress = () => ServiceUnavailable.progressOf(facts.class, state, form)
      return yield* answer(arrived, state, form).pipe(
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
        Effect.provideService(CallerAddress, limiter.addressOf(arrived.head)),
        AuditActor.fromClient(limiter.clientOf(arrived.head))
      )
    }).pipe(
      count,
      facts.deprecated === undefined ? identity : Effect.map(withDeprecation),
      traced
    )
}

/** Records the response and its duration in metrics. */
const counted = (endpoint: string) => {
  const observe = Metrics.observer(Metrics.httpSeconds, { endpoint })
  const count = Metrics.counter(Metrics.httpRequests, (status: number) => ({ endpoint, status: String(status) }))
  return <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(
      Effect.timed(answer),
      ([took, response]) =>
        Effect.as(Effect.andThen(count(response.status), observe(Duration.toSeconds(took))), response)
    )
}

const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/**
 * Returns true for a HEAD request of an endpoint that changes something: the router treats HEAD as GET, but only reads
 * may answer it.
 */
const isHeadOfChange = (facts: EndpointFacts, { method }: RequestHead) =>
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

/** Answers at a route: a HEAD of a change is refused as any other method. */
const routed = (facts: EndpointFacts, answer: Answer, refuse: Effect.Effect<HttpServerResponse.HttpServerResponse>) =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (head) =>
      isHeadOfChange(facts, head) ?
        refuse :
        Effect.flatMap(
          HttpRouter.RouteContext,
          ({ params }) => answer({ head, path: params, incoming: NodeHttpServerRequest.toIncomingMessage(head) })
        )
  )

/** Mounts every endpoint of a group at all its paths and methods; other methods return 405. */
export const layer = <Rpcs extends Rpc.Any>(
  group: RpcGroup.RpcGroup<Rpcs>,
  mounting: Mounting = {}
): Layer.Layer<
  never,
  never,
  | HttpRouter.HttpRouter
  | RateLimit
  | Hosts
  | Gatekeeper
  | IdempotentWrites
  | GracefulShutdown
  | Rpc.ToHandler<Rpcs>
  | Rpc.Middleware<Rpcs>
> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const ending = yield* GracefulShutdown
    const call = yield* DirectCall.make(group)
    // A separate scope: fibers forked into this layer's scope would be interrupted first.
    const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
    // Resources acquired before this finalizer stay available until the requests in progress are answered.
    yield* Effect.addFinalizer(() => ending.drain)
    const serving: Serving = {
      // The fiber of a routed request has the listener's services, not those of this layer.
      begin: Effect.provideService(
        RequestState.begin,
        RequestState.RequestSeconds,
        yield* RequestState.RequestSeconds
      ),
      call,
      documents: CachedDocument.make(),
      ending,
      gatekeeper: yield* Gatekeeper,
      limiter: yield* RateLimit,
      scope,
      writes: yield* IdempotentWrites
    }
    const taken = new Set<string>(factsOfGroup(group).flatMap(({ paths }) => paths))
    const reads = new Map<string, Answer>()
    for (const facts of factsOfGroup(group)) {
      const refuse = Effect.succeed(
        Wire.error(405, `${facts.name} is called with ${facts.methods.join(" or ")}.`).pipe(
          HttpServerResponse.setHeader("Allow", facts.methods.join(", "))
        )
      )
      const answer = handle(facts, serving)
      const atRoute = routed(facts, answer, refuse)
      for (const path of pathsOf(facts, mounting, taken)) {
        if (DirectReads.isPlain(facts, path)) reads.set(path, answer)
        for (const method of httpMethods) {
          yield* router.add(method, path, facts.methods.some((allowed) => allowed === method) ? atRoute : refuse)
        }
      }
    }
    yield* DirectReads.serve(reads)
  }))
