/** One JSON-RPC endpoint: batches waiting calls into one HTTP request, and keeps a score of its latency and errors. */
import * as Batcher from "@vault-trader/core/storage/Batcher"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { partOf } from "./HttpFailure.ts"
import { type RpcFailure, RpcRefused, RpcUnavailable } from "./RpcFailure.ts"

export interface Call {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** An endpoint's recent performance. Exponentially weighted, so that old failures lose their effect. */
export interface Score {
  /** Milliseconds. */
  readonly latency: number
  /** Share of requests that got no answer, 0 to 1. */
  readonly errors: number
  /** The highest block number it has returned. */
  readonly head: bigint
}

export interface RpcEndpoint {
  /** Name in logs: the host, never the URL, which may contain an operator's key. */
  readonly name: string
  readonly send: (call: Call) => Effect.Effect<unknown, RpcFailure>
  /**
   * Sends calls in one request, processed in order; at most `batchSize` calls. Without it they are sent one after the
   * other.
   */
  readonly sendInOrder?: (
    calls: ReadonlyArray<Call>
  ) => Effect.Effect<ReadonlyArray<Result.Result<unknown, RpcFailure>>>
  readonly score: () => Score
}

/** Maximum number of calls in a batch. Nodes and providers limit it; 100 is accepted by all we know of. */
export const batchSize = 100
/** Maximum number of concurrent requests: one that hangs must not block the others. */
const maxConcurrentRequests = 8
type Results = ReadonlyArray<Result.Result<unknown, RpcFailure>>

/** The weight of the newest observation. */
const weight = 0.2

const Answer = Schema.Struct({
  id: Schema.Number,
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(
    Schema.Struct({ code: Schema.Number, message: Schema.String, data: Schema.optional(Schema.Unknown) })
  )
})
const Answers = Schema.decodeUnknownEffect(Schema.Array(Answer))

/** Returns a revert's data, which some nodes wrap in an object. */
const dataOf = (data: unknown): string | undefined =>
  typeof data === "string"
    ? data
    : typeof data === "object" && data !== null && "data" in data && typeof data.data === "string"
    ? data.data
    : undefined

const refusal = (error: { readonly code: number; readonly message: string; readonly data?: unknown }): RpcRefused => {
  const data = dataOf(error.data)
  return new RpcRefused({
    code: error.code,
    reason: error.message.slice(0, 300),
    ...(data === undefined ? {} : { data })
  })
}

/** Returns the failure's name for messages and metrics, which stays the same when the library renames its errors. */
const nameOf = (error: HttpBody.HttpBodyError | HttpClientError | Schema.SchemaError) =>
  error._tag === "HttpClientError" ? partOf(error) : error._tag === "SchemaError" ? "ParseError" : error._tag

const headIn = ({ method, params }: Call, result: unknown): bigint => {
  const text = method === "eth_blockNumber"
    ? result
    : method === "eth_getBlockByNumber" && params[0] === "latest" && typeof result === "object" && result !== null &&
        "number" in result
    ? result.number
    : undefined
  return typeof text === "string" && /^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : 0n
}

interface Options {
  readonly network: string
  readonly url: string
  readonly timeout: Duration.Input
}

/** Builds the endpoint's score, which its requests update. */
const makeScore = () => {
  let score: Score = { latency: 50, errors: 0, head: 0n }
  return {
    current: () => score,
    observe: (millis: number, failed: boolean) => {
      score = {
        ...score,
        latency: failed ? score.latency : score.latency * (1 - weight) + millis * weight,
        errors: score.errors * (1 - weight) + (failed ? weight : 0)
      }
    },
    observeHead: (head: bigint) => {
      if (head > score.head) score = { ...score, head }
    }
  }
}

/** Builds the function that posts calls as one request and returns their results in order. */
const makePost = (http: HttpClient.HttpClient, options: Options, observeHead: (head: bigint) => void) => {
  const unavailable = (reason: string) => new RpcUnavailable({ network: options.network, reason })
  return (calls: ReadonlyArray<Call>) =>
    Effect.gen(function*() {
      const body = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }))
      const request = yield* HttpClientRequest.post(options.url).pipe(
        HttpClientRequest.bodyJson(body.length === 1 ? body[0] : body)
      )
      const response = yield* http.execute(request)
      if (response.status !== 200) return yield* unavailable(`HTTP ${response.status}`)
      const answers = yield* Effect.flatMap(response.json, (json) => Answers(Array.isArray(json) ? json : [json]))
      const byId = new Map(answers.map((answer) => [answer.id, answer]))
      return calls.map((call, id): Result.Result<unknown, RpcFailure> => {
        const answer = byId.get(id)
        if (answer === undefined) return Result.fail(unavailable("the answer to a call is missing"))
        if (answer.error !== undefined) return Result.fail(refusal(answer.error))
        observeHead(headIn(call, answer.result))
        return Result.succeed(answer.result)
      })
    }).pipe(
      Effect.timeoutOrElse({ duration: options.timeout, orElse: () => Effect.fail(unavailable("timeout")) }),
      // The HTTP client's errors can contain the endpoint's URL, and a URL can contain an operator's key.
      Effect.catch((error) => Effect.fail(error._tag === "RpcUnavailable" ? error : unavailable(nameOf(error))))
    )
}

export const make = (options: Options): Effect.Effect<RpcEndpoint, never, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function*() {
    const http = yield* HttpClient.HttpClient
    const score = makeScore()
    const post = makePost(http, options, score.observeHead)
    const where = { network: options.network, endpoint: hostOf(options.url) }

    /**
     * Traces a call from the caller's view. The HTTP request is not traced: it may carry other calls, too, and its URL
     * a key.
     */
    const trace = (method: string) => <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.withSpan(effect, `rpc ${method}`, {
        kind: "client",
        attributes: where,
        captureStackTrace: false
      })

    const run = (calls: ReadonlyArray<Call>) =>
      Effect.gen(function*() {
        const startedAt = yield* Clock.currentTimeMillis
        const result = yield* Effect.result(post(calls))
        score.observe((yield* Clock.currentTimeMillis) - startedAt, Result.isFailure(result))
        const callsByMethod = Object.entries(Arr.groupBy(calls, ({ method }) => method))
        yield* Effect.forEach(
          callsByMethod,
          ([method, { length }]) => Metrics.count(Metrics.rpcCalls, { ...where, method }, length),
          { discard: true }
        )
        if (Result.isFailure(result)) {
          const { reason } = result.failure
          yield* Effect.forEach(
            callsByMethod,
            ([method, { length }]) => Metrics.count(Metrics.rpcErrors, { ...where, method, reason }, length),
            { discard: true }
          )
        }
        return yield* Effect.fromResult(result)
      })

    /** Runs one request. A failed request is a failure of every call in it. */
    const runPack = (pack: ReadonlyArray<Group>) =>
      Effect.match(run(pack.flat()), {
        onFailure: (failure) => pack.map((group) => group.map((): Results[number] => Result.fail(failure))),
        onSuccess: (results) => {
          let next = 0
          return pack.map((group): Results => results.slice(next, next += group.length))
        }
      })
    /** Packs concurrent callers' groups into shared requests; the calls of a group stay together and in order. */
    const runGroups = (groups: ReadonlyArray<Group>) =>
      Effect.map(Effect.forEach(packGroups(groups), runPack, { concurrency: "unbounded" }), (packs) => packs.flat())
    const enqueue = yield* Batcher.make({
      maximum: batchSize,
      concurrency: maxConcurrentRequests,
      run: (groups: ReadonlyArray<Group>) => Effect.withTracerEnabled(runGroups(groups), false)
    })
    return {
      name: where.endpoint,
      score: score.current,
      send: (call) =>
        trace(call.method)(
          Effect.flatMap(enqueue([call]), ([result]) =>
            result === undefined
              ? new RpcUnavailable({ network: options.network, reason: "no answer" })
              : Effect.fromResult(result))
        ),
      sendInOrder: (calls) => trace(calls[0]?.method ?? "nothing")(enqueue(calls))
    }
  })

/** Calls that one request must carry together, in order. */
type Group = ReadonlyArray<Call>

/**
 * Packs groups into requests: a group is never split, and a request never exceeds `batchSize` unless a single group
 * does.
 */
const packGroups = (groups: ReadonlyArray<Group>): ReadonlyArray<ReadonlyArray<Group>> => {
  const packs: Array<Array<Group>> = []
  let room = 0
  for (const group of groups) {
    if (group.length <= room) packs.at(-1)?.push(group)
    else {
      packs.push([group])
      room = batchSize
    }
    room -= group.length
  }
  return packs
}

/** Returns the host of a URL, or "an endpoint" where it has none. */
export const hostOf = (url: string): string => URL.canParse(url) ? new URL(url).host : "an endpoint"
