/**
 * Reads that are admitted by what is in memory. Plain functions do what the gate, admission and the answer's effect do
 * for all other requests, by the same rules; only the handler has a fiber. A read is left to them unless all that has
 * to be checked is known: no error in its parameters, a cached key, no vault to read.
 */
import * as AnswerEncoder from "@vault-trader/core/endpoint/AnswerEncoder"
import type { Caller } from "@vault-trader/core/endpoint/Admission"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { RateLimit } from "../gate/RateLimit.ts"
import { decode } from "../params/RequestParams.ts"
import * as AnswerForm from "../wire/AnswerForm.ts"
import * as DeprecationHeaders from "../wire/DeprecationHeaders.ts"
import { queryOf, type RequestHead } from "../wire/RequestHead.ts"
import * as RequestState from "../wire/RequestState.ts"
import * as ServiceUnavailable from "../wire/ServiceUnavailable.ts"
import * as Wire from "../wire/Wire.ts"
import { actorOfCaller } from "./Admission.ts"
import type { AdmittedCalls } from "./DirectCall.ts"
import { internalError, type Serving, wordedFailure } from "./RequestAnswer.ts"
import * as ResponseCount from "./ResponseCount.ts"

type Params = Readonly<Record<string, unknown>>
type Response = HttpServerResponse.HttpServerResponse

/** How a read is served. */
interface Options {
  readonly requestId: string
  readonly clock: Clock.Clock
  /** Ends the read when it is closed. */
  readonly scope: Scope.Scope
  /** Called once with the response, at once or later. */
  readonly respond: (response: Response) => void
}

/** A read that is admitted. */
export interface Admitted {
  /** Calls the handler. Returns the function that ends the read of a caller who has disconnected, while it lasts. */
  readonly serve: (options: Options) => (() => void) | undefined
}

/** Admits a read, without any effect; undefined for one that has to be admitted otherwise. */
export type ImmediateRead = (head: RequestHead, clock: Clock.Clock) => Admitted | undefined

const noBody = new Map<string, unknown>()
const noPath = {}

/** Follows a handler that waits for something: until it ends, its time is over, or its caller disconnects. */
const follow = (
  fiber: Fiber.Fiber<unknown, unknown>,
  { ending, millis, scope, settle }: {
    readonly ending: Serving["ending"]
    /** Until the request's deadline. */
    readonly millis: number
    readonly scope: Scope.Scope
    readonly settle: (exit: Exit.Exit<unknown, unknown>) => void
  }
) => {
  const leave = ending.enter()
  let isOver = false
  const end = (exit: Exit.Exit<unknown, unknown> | undefined) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    if (exit !== undefined) settle(exit)
    leave()
  }
  // The response does not wait for the handler's interruption.
  const timer = setTimeout(() => {
    end(Exit.fail(new ServiceUnavailable.Late()))
    fiber.interruptUnsafe()
  }, millis)
  Fiber.runIn(fiber, scope)
  fiber.addObserver(end)
  return () => {
    end(undefined)
    fiber.interruptUnsafe()
  }
}

/** Builds the function that serves an endpoint's admitted reads. */
const server = (
  facts: EndpointFacts,
  { calls, ending, limiter, seconds }: {
    readonly calls: AdmittedCalls
    readonly ending: Serving["ending"]
    readonly limiter: RateLimit["Service"]
    readonly seconds: number
  },
  encode: (answer: unknown) => unknown
) => {
  const count = ResponseCount.make(facts.name)
  const withDeprecation = DeprecationHeaders.of(facts)
  return (
    { caller, form, head, params }: {
      readonly head: RequestHead
      readonly params: Params
      readonly caller: Caller["Service"] | undefined
      readonly form: AnswerForm.AnswerForm
    }
  ): Admitted["serve"] =>
  ({ clock, requestId, respond, scope }) => {
    const started = performance.now()
    const now = clock.currentTimeMillisUnsafe()
    const finish = (response: Response) => {
      count(response.status, performance.now() - started)
      respond(withDeprecation(response))
    }
    const throttle = limiter.ofKey(params["apiKey"] ?? params["gas_wallet_api_key"], now)
    if (Option.isSome(throttle)) return void finish(throttle.value)
    const state = RequestState.of(seconds, now)
    const from = limiter.clientOf(head)
    const fail = (cause: Cause.Cause<unknown>) => {
      const failing = Effect.annotateLogs(wordedFailure(cause, state, form), { request_id: requestId })
      Effect.runForkWith(calls.services)(failing)
        .addObserver((exit) => finish(Exit.isSuccess(exit) ? exit.value : internalError))
    }
    const settle = (exit: Exit.Exit<unknown, unknown>) => {
      if (Exit.isFailure(exit)) return fail(exit.cause)
      const response = Result.try(() => Wire.success(encode(exit.value) as Record<string, unknown>, form))
      return Result.isSuccess(response) ? finish(response.success) : fail(Cause.die(response.failure))
    }
    const fiber = calls.start(params, {
      state,
      caller,
      requestId,
      address: limiter.addressOf(head),
      actor: caller === undefined
        ? { kind: "stranger", id: null, from, credential: null }
        : { ...actorOfCaller(caller, params), from }
    })
    const exit = fiber.pollUnsafe()
    return exit === undefined
      ? follow(fiber, { ending, scope, settle, millis: state.deadline - now })
      : void settle(exit)
  }
}

/** Returns the immediate reads of an endpoint; undefined for one whose requests need more. */
export const make = (facts: EndpointFacts, serving: Serving): ImmediateRead | undefined => {
  const { ending, gatekeeper, limiter, seconds } = serving
  const encode = AnswerEncoder.compile(facts.success)
  const calls = serving.calls.admitted(facts.name)
  const isFree = facts.class === "readOnly" && !facts.judges && !facts.isDocument && facts.creates === undefined &&
    (facts.access === "open" || facts.access === "apiKey")
  if (!isFree || encode === undefined || calls === undefined) return undefined
  const serve = server(facts, { calls, ending, limiter, seconds }, encode)
  return (head, clock) => {
    const form = AnswerForm.preferred(head.headers["accept"])
    if (form === undefined || !calls.isOpen()) return undefined
    const { params, refusals } = decode(facts, {
      path: noPath,
      query: queryOf(head),
      body: noBody,
      text: undefined,
      headers: head.headers
    })
    const caller = calls.needsCaller && refusals.length === 0 ? gatekeeper.admitKnown(facts, params, clock) : undefined
    return refusals.length > 0 || (calls.needsCaller && caller === undefined)
      ? undefined
      : { serve: serve({ head, params, caller, form }) }
  }
}
