/**
 * Calls of the mocked node and their failures: plain objects, so that the tests of each package can convert them to
 * their own errors.
 */
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** The node's own error; a revert carries its data. */
export interface RpcRefused {
  readonly _tag: "RpcRefused"
  readonly code: number
  readonly reason: string
  readonly data?: string
}

/** No answer: the outcome of the call is unknown. */
export interface RpcUnavailable {
  readonly _tag: "RpcUnavailable"
  readonly network: string
  readonly reason: string
}

export type RpcFailure = RpcRefused | RpcUnavailable

/** Makes one JSON-RPC call; the result is as a node writes it. */
export type Request = (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown, RpcFailure>

/** Sends signed bytes: `eth_sendRawTransaction`. */
export type Broadcast = (raw: string) => Effect.Effect<void, RpcFailure>

/** A node's reply without network access. */
export type Reply<A> = Result.Result<A, RpcRefused>

export const refused = (code: number, reason: string, data?: string): RpcRefused => ({
  _tag: "RpcRefused",
  code,
  reason,
  ...(data === undefined ? {} : { data })
})

export const unavailable = (network: string, reason: string): RpcUnavailable => ({
  _tag: "RpcUnavailable",
  network,
  reason
})

/** geth's code for everything its transaction pool and state refuse. */
export const serverError = -32000
export const methodNotFound = -32601
export const invalidParams = -32602
/** geth's code for a revert with data. */
export const reverted = 3

export const refuse = (code: number, reason: string, data?: string): Reply<never> =>
  Result.fail(refused(code, reason, data))
