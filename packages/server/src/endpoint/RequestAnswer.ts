/** Answers a request of one endpoint: decodes it, calls its handler within the deadline, and words the outcome. */
import * as AnswerEncoder from "@vault-trader/core/endpoint/AnswerEncoder"
import { mediaTypeOf } from "@vault-trader/core/endpoint/BodyText"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { countDatabaseErrors as countingDatabaseErrors } from "@vault-trader/core/telemetry/DatabaseErrors"
import * as RecordedSpan from "@vault-trader/core/telemetry/RecordedSpan"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { disconnectAfter } from "../gate/ActorCall.ts"
import type { GracefulShutdown } from "../gate/GracefulShutdown.ts"
import { type IdempotentWrites, nameOf } from "../gate/IdempotentWrites.ts"
import type { RateLimit } from "../gate/RateLimit.ts"
import { decode } from "../params/RequestParams.ts"
import * as AnswerForm from "../wire/AnswerForm.ts"
import * as AuditActor from "../wire/AuditActor.ts"
import * as Body from "../wire/Body.ts"
import type * as CachedDocument from "../wire/CachedDocument.ts"
import { CallerAddress } from "../wire/CallerAddress.ts"
import * as DeprecationHeaders from "../wire/DeprecationHeaders.ts"
import { queryOf, type RequestHead } from "../wire/RequestHead.ts"
import { RequestSource, type Source } from "../wire/RequestSource.ts"
import * as RequestState from "../wire/RequestState.ts"
import * as ServiceUnavailable from "../wire/ServiceUnavailable.ts"
import * as Wire from "../wire/Wire.ts"
import type { Arrived } from "./Arrived.ts"
import type * as DirectCall from "./DirectCall.ts"
import type { Gatekeeper } from "./Gatekeeper.ts"
import * as ResponseCount from "./ResponseCount.ts"

const isFailure = Schema.is(Failure)

/** Returns true for prefetches: GETs that browsers send before the user acts must not move funds. */
const isPrefetch = ({ headers }: RequestHead) =>
  /prefetch|prerender/i.test(`${headers["sec-purpose"] ?? ""} ${headers["purpose"] ?? ""} ${headers["x-moz"] ?? ""}`)

/** The response to a defect. */
export const internalError = Wire.error(
  500,
  "Internal error. The service's operator can find the cause by this response's X-Request-Id."
)

/** Builds the response to a defect: 503 if the database caused it, otherwise 500. */
const defectResponse = (progress: ServiceUnavailable.RequestProgress, cause: Cause.Cause<unknown>) =>
  Effect.gen(function*() {
    yield* Effect.logError("a request failed with a defect", cause)
    return Option.getOrElse(ServiceUnavailable.answerOf(progress, cause), () => internalError)
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

/** The services that answers need. */
export interface Serving {
  /** Begins a request with the service's time limit. */
  readonly begin: Effect.Effect<RequestState.State>
  /** The time limit, seconds. */
  readonly seconds: number
  readonly calls: DirectCall.Calls
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
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const throttle = limiter.ofKey(apiKey, now)
    return Option.isSome(throttle) || creates === undefined
      ? Effect.succeed(throttle)
      : limiter.ofCreation(creates, limiter.clientOf(head))
  })

/** Passes the failures on that have words of their own; every other one is a defect. */
const knownFailures = <A, R>(
  called: Effect.Effect<A, unknown, R>
): Effect.Effect<A, Failure | ServiceUnavailable.Late, R> =>
  Effect.catch(
    called,
    (failed) =>
      isFailure(failed) || failed instanceof ServiceUnavailable.Late ? Effect.fail(failed) : Effect.die(failed)
  )

/** Words every outcome of a request. */
const worded = (form: AnswerForm.AnswerForm, progress: () => ServiceUnavailable.RequestProgress) =>
<R>(
  answer: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    Failure | ServiceUnavailable.Late | Body.BodyUnreadable | Body.BodyLate,
    R
  >
) =>
  answer.pipe(
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
    )
  )

/** Returns the response to a read whose handler has ended without an answer. */
export const wordedFailure = (
  cause: Cause.Cause<unknown>,
  state: RequestState.State,
  form: AnswerForm.AnswerForm
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  worded(form, () => ServiceUnavailable.progressOf("readOnly", state, form))(knownFailures(Effect.failCause(cause)))

/** Returns the encoder of an endpoint's answers. An answer that is not as declared is a defect. */
const encoderOf = ({ success }: EndpointFacts): (answer: unknown) => Effect.Effect<unknown> => {
  const plain = AnswerEncoder.compile(success)
  const encode = Schema.encodeUnknownEffect(success)
  return plain === undefined
    ? (answer) => Effect.orDie(encode(answer))
    : (answer) => Effect.sync(() => plain(answer))
}

/** Builds the function that answers an endpoint's requests. */
export const make = (facts: EndpointFacts, serving: Serving) => {
  const { begin, calls: { call }, documents, ending, gatekeeper, limiter, scope, writes } = serving
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
      const result = yield* knownFailures(
        disconnectAfter(called, duration, () => Effect.fail(new ServiceUnavailable.Late()))
      ).pipe(
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
        worded(form, progress),
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
  const count = ResponseCount.make(endpoint)
  return <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.map(Effect.timed(answer), ([took, response]) => {
      count(response.status, Duration.toMillis(took))
      return response
    })
}
