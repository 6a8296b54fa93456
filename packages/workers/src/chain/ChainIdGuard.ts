/**
 * Keeps an endpoint that serves another chain out of its pool. The chain id is read before the first call, after every
 * call without an answer (another node may answer the next one), and every few minutes.
 */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { RpcEndpoint } from "./RpcEndpoint.ts"
import { type RpcFailure, RpcUnavailable } from "./RpcFailure.ts"

/** How long a chain id that was read is valid while the endpoint answers. */
const rightTtlMillis = 180_000
/** How long before an endpoint on the wrong chain is checked again. */
const wrongTtlMillis = 30_000

type State =
  | { readonly _tag: "unknown" }
  | { readonly _tag: "right"; readonly at: number }
  | { readonly _tag: "wrong"; readonly at: number; readonly chainId: string }

/**
 * Returns false for a rate limit, which comes from the same node as before. After any other missing answer another node
 * may answer.
 */
const mayReconnect = (failure: RpcFailure) => failure._tag === "RpcUnavailable" && failure.reason !== "HTTP 429"

/** Builds the check of an endpoint's chain id, which keeps the last result. */
const makeCheck = (
  book: Pick<NetworkBook, "network" | "chainId">,
  endpoint: RpcEndpoint,
  readAt: number | undefined
) => {
  let state: State = readAt === undefined ? { _tag: "unknown" } : { _tag: "right", at: readAt }
  let running: Deferred.Deferred<void, RpcUnavailable> | undefined
  const unavailable = (reason: string) => new RpcUnavailable({ network: book.network, reason })
  const wrong = (chainId: string) => unavailable(`the endpoint serves chain ${chainId}`)

  const read = Effect.gen(function*() {
    const answer = yield* Effect.mapError(
      endpoint.send({ method: "eth_chainId", params: [] }),
      ({ reason }) => unavailable(reason)
    )
    const at = yield* Clock.currentTimeMillis
    if (Number(answer) === book.chainId) {
      if (state._tag === "wrong") {
        yield* Effect.logInfo(
          `The RPC endpoint ${endpoint.name} of ${book.network} serves chain ${book.chainId} again and is used.`
        )
      }
      state = { _tag: "right", at }
      return
    }
    const chainId = String(Number(answer))
    if (state._tag !== "wrong") {
      yield* Metrics.count(Metrics.rpcContradictions, { network: book.network, endpoint: endpoint.name })
      yield* Effect.logError(
        `The RPC endpoint ${endpoint.name} of ${book.network} serves chain ${chainId} instead of ` +
          `${book.chainId}; it is not used until that changes.`
      )
    }
    state = { _tag: "wrong", at, chainId }
    return yield* wrong(chainId)
  })

  /**
   * Reads the chain id; concurrent callers share one read. The read continues when the caller that started it is
   * interrupted, and it always starts: if `running` were set without a read, all later callers would wait forever.
   */
  const readOnce: Effect.Effect<void, RpcUnavailable> = Effect.uninterruptibleMask((restore) =>
    Effect.suspend(() => {
      if (running !== undefined) return restore(Deferred.await(running))
      const deferred = Deferred.makeUnsafe<void, RpcUnavailable>()
      running = deferred
      const done = Effect.sync(() => {
        running = undefined
      })
      return Effect.andThen(
        Effect.forkDetach(Effect.interruptible(Deferred.into(Effect.ensuring(read, done), deferred))),
        restore(Deferred.await(deferred))
      )
    })
  )

  const verify: Effect.Effect<void, RpcUnavailable> = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (state._tag === "right" && now - state.at < rightTtlMillis) return Effect.void
    if (state._tag === "wrong" && now - state.at < wrongTtlMillis) return wrong(state.chainId)
    return readOnce
  })

  const invalidate = (failure: RpcFailure) =>
    Effect.sync(() => {
      if (mayReconnect(failure) && state._tag === "right") state = { _tag: "unknown" }
    })

  return { invalidate, verified: verify }
}

/**
 * Guards an endpoint. `readAt`: time at which the right chain id was last read, clock milliseconds; `undefined` if it
 * was not.
 */
export const make = (
  book: Pick<NetworkBook, "network" | "chainId">,
  endpoint: RpcEndpoint,
  readAt?: number
): RpcEndpoint => {
  const { invalidate, verified } = makeCheck(book, endpoint, readAt)
  const { sendInOrder } = endpoint
  return {
    name: endpoint.name,
    score: endpoint.score,
    send: (call) => Effect.andThen(verified, Effect.tapError(endpoint.send(call), invalidate)),
    ...(sendInOrder === undefined ? {} : {
      sendInOrder: (calls) =>
        Effect.matchEffect(verified, {
          onFailure: (failure) => Effect.succeed(calls.map(() => Result.fail(failure))),
          onSuccess: () =>
            Effect.tap(sendInOrder(calls), (results) =>
              Effect.forEach(results, (result) =>
                Result.isFailure(result) ? invalidate(result.failure) : Effect.void, { discard: true }))
        })
    })
  }
}
