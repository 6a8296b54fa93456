/** A small JSON-RPC client: concurrent calls share one HTTP request, every call has a hard timeout. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Batcher from "@vault-trader/core/storage/Batcher"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { type RpcFailure, RpcRefused, RpcUnavailable } from "./RpcFailure.ts"

export interface Call {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

export interface JsonRpc {
  /** The result as the node gave it; reads go to the first endpoint that answers. */
  readonly request: (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown, RpcFailure>
  /** Hands identical bytes to every endpoint; succeeds when one takes them. */
  readonly broadcast: (raw: string) => Effect.Effect<void, RpcFailure>
}

const Answer = Schema.Struct({
  id: Schema.Number,
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(Schema.Struct({
    code: Schema.Number,
    message: Schema.String,
    data: Schema.optional(Schema.Unknown)
  }))
})
const Answers = Schema.decodeUnknown(Schema.Array(Answer))

const refusal = (error: { readonly code: number; readonly message: string; readonly data?: unknown }): RpcRefused => {
  const data = typeof error.data === "string"
    ? error.data
    : typeof error.data === "object" && error.data !== null && "data" in error.data && typeof error.data.data === "string"
    ? error.data.data
    : undefined
  return new RpcRefused({ code: error.code, reason: error.message.slice(0, 300), ...(data === undefined ? {} : { data }) })
}

type Result = Either.Either<unknown, RpcFailure>

/** One endpoint's batching sender. */
const endpoint = (network: string, url: string, timeout: Duration.DurationInput) =>
  Effect.gen(function*() {
    const http = yield* HttpClient.HttpClient
    const unavailable = (reason: string) => new RpcUnavailable({ network, reason })
    const run = (calls: ReadonlyArray<Call>) =>
      Effect.gen(function*() {
        const body = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }))
        const request = yield* HttpClientRequest.post(url).pipe(HttpClientRequest.bodyJson(body.length === 1 ? body[0] : body))
        const response = yield* http.execute(request)
        if (response.status !== 200) return yield* unavailable(`HTTP ${response.status}`)
        const answers = yield* Effect.flatMap(response.json, (json) => Answers(Array.isArray(json) ? json : [json]))
        const byId = new Map(answers.map((answer) => [answer.id, answer]))
        return calls.map((_, id): Result => {
          const answer = byId.get(id)
          if (answer === undefined) return Either.left(unavailable("the answer to a call is missing"))
          return answer.error === undefined ? Either.right(answer.result) : Either.left(refusal(answer.error))
        })
      }).pipe(
        Effect.timeoutFail({ duration: timeout, onTimeout: () => unavailable("timeout") }),
        // What the HTTP client reports can hold the endpoint's URL, and a URL can hold an operator's key.
        Effect.catchAll((error) => Effect.fail(error._tag === "RpcUnavailable" ? error : unavailable(error._tag)))
      )
    // Nodes and providers limit batches; 100 is accepted everywhere we know of.
    const send = yield* Batcher.make({ maximum: 100, run: (calls: ReadonlyArray<Call>) => Effect.withTracerEnabled(run(calls), false) })
    return (call: Call): Effect.Effect<unknown, RpcFailure> => Effect.flatMap(send(call), (result) => result)
  })

/** A client over a network's endpoints, best first. */
export const make = (options: {
  readonly network: string
  readonly urls: ReadonlyArray<string>
  readonly timeout: Duration.DurationInput
}): Effect.Effect<JsonRpc, never, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function*() {
    const endpoints = yield* Effect.forEach(options.urls, (url) => endpoint(options.network, url, options.timeout))
    const none = new RpcUnavailable({ network: options.network, reason: "no endpoint configured" })
    return {
      request: (method, params) =>
        endpoints.reduce(
          (earlier: Effect.Effect<unknown, RpcFailure>, send) =>
            Effect.catchTag(earlier, "RpcUnavailable", () => send({ method, params })),
          Effect.fail(none)
        ),
      broadcast: (raw) =>
        Effect.flatMap(
          Effect.forEach(endpoints, (send) => Effect.either(send({ method: "eth_sendRawTransaction", params: [raw] })), {
            concurrency: "unbounded"
          }),
          (results) => Either.match(results.find(Either.isRight) ?? results[0] ?? Either.left(none), { onLeft: Effect.fail, onRight: () => Effect.void })
        )
    }
  })
