/** Decodes the answers of a pool of endpoints. A malformed answer is a refusal. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { JsonRpc } from "./JsonRpc.ts"
import { RpcRefused } from "./RpcFailure.ts"

const decoder = <A, I>(schema: Schema.Codec<A, I>, method: string) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (result: unknown) =>
    Result.mapError(
      decode(result),
      () => new RpcRefused({ code: 0, reason: `the answer to ${method} is malformed` })
    )
}

export const make = (rpc: JsonRpc) => {
  const request = <A, I>(schema: Schema.Codec<A, I>, method: string, params: ReadonlyArray<unknown>) =>
    Effect.flatMap(rpc.request(method, params), (result) => Effect.fromResult(decoder(schema, method)(result)))
  const requestAll = <A, I>(
    schema: Schema.Codec<A, I>,
    method: string,
    params: ReadonlyArray<ReadonlyArray<unknown>>
  ) => Effect.map(rpc.requestAll(method, params), (answers) => answers.map(Result.flatMap(decoder(schema, method))))
  /** Sends many reads of one method; returns each answer with its endpoint. */
  const requestAllWithEndpoint = <A, I>(
    schema: Schema.Codec<A, I>,
    method: string,
    params: ReadonlyArray<ReadonlyArray<unknown>>
  ) =>
    Effect.map(rpc.requestAllWithEndpoint(method, params), (answers) =>
      answers.map(({ answer, endpoint }) => ({
        endpoint,
        answer: Result.flatMap(answer, decoder(schema, method))
      })))
  /** The same from this endpoint only. */
  const requestAllOf = <A, I>(
    endpoint: number,
    schema: Schema.Codec<A, I>,
    method: string,
    params: ReadonlyArray<ReadonlyArray<unknown>>
  ) =>
    Effect.map(
      rpc.requestAllOf(endpoint, method, params),
      (answers) => answers.map(Result.flatMap(decoder(schema, method)))
    )
  /** Sends a read to every endpoint. Returns the answers with their endpoints, without malformed ones. */
  const requestEverywhere = <A, I>(schema: Schema.Codec<A, I>, method: string, params: ReadonlyArray<unknown>) =>
    Effect.map(
      rpc.requestEverywhere(method, params),
      (answers) =>
        answers.flatMap(({ answer, endpoint }) =>
          Result.match(decoder(schema, method)(answer), {
            onFailure: () => [],
            onSuccess: (decoded) => [{ endpoint, answer: decoded }]
          })
        )
    )
  const { compare, compareHeads, endpoints, ranking } = rpc
  return {
    compare,
    compareHeads,
    endpoints,
    ranking,
    request,
    requestAll,
    requestAllOf,
    requestAllWithEndpoint,
    requestEverywhere
  }
}
export type TypedRpc = ReturnType<typeof make>
