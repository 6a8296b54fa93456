/** Sends signed bytes to endpoints, each in the order given, until every one was accepted or refused. */
import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as RpcEndpoint from "./RpcEndpoint.ts"
import { type RpcFailure, type RpcRefused, RpcUnavailable } from "./RpcFailure.ts"

/** Retries of a broadcast: the same bytes may be sent any number of times, and a lane sends them again later anyway. */
const sendRetry = Schedule.max([Schedule.jittered(Schedule.exponential("40 millis")), Schedule.recurs(3)])

/** Called with the index of bytes that an endpoint has refused, whether or not another one accepts them. */
export type OnRefused = (place: number, refusal: RpcRefused) => void

/** Indexes of the bytes that an endpoint has accepted; `all` completes when every one has been. */
interface BroadcastProgress {
  readonly taken: Set<number>
  readonly wanted: number
  readonly all: Deferred.Deferred<void>
}

/**
 * Sends the bytes to one endpoint, one request at a time; retries those without an answer. Returns the last failure of
 * each rejected one.
 */
const broadcastTo = (
  endpoint: RpcEndpoint.RpcEndpoint,
  raws: ReadonlyArray<string>,
  { all, taken, wanted }: BroadcastProgress,
  onRefused: OnRefused
) =>
  Effect.gen(function*() {
    const failures = new Map<number, RpcFailure>()
    const offer = (places: ReadonlyArray<number>) =>
      Effect.map(
        inOrder(endpoint, places.map((place) => ({ method: "eth_sendRawTransaction", params: [raws[place]] }))),
        (results) => {
          for (const [index, place] of places.entries()) {
            const result = results[index]
            if (result === undefined) continue
            if (Result.isFailure(result)) {
              failures.set(place, result.failure)
              if (result.failure._tag === "RpcRefused") onRefused(place, result.failure)
            } else {
              failures.delete(place)
              taken.add(place)
            }
          }
          if (taken.size === wanted) Deferred.doneUnsafe(all, Effect.void)
        }
      )
    for (const places of Arr.chunksOf(raws.keys(), RpcEndpoint.batchSize)) {
      let left: ReadonlyArray<number> = places
      const attempt = Effect.suspend(() =>
        Effect.flatMap(offer(left), () => {
          left = left.filter((place) => failures.get(place)?._tag === "RpcUnavailable")
          return left.length === 0 ? Effect.void : Effect.fail("unanswered" as const)
        })
      )
      yield* Effect.ignore(Effect.retry(attempt, sendRetry))
    }
    return failures
  })

/** The endpoints of a broadcast, and how long their answers are awaited; without a limit where absent. */
interface Recipients {
  readonly network: string
  readonly endpoints: ReadonlyArray<RpcEndpoint.RpcEndpoint>
  readonly timeoutMillis?: number
}

/**
 * Broadcasts to all these endpoints. Returns when each of the bytes was accepted by one endpoint or failed on all, at
 * the latest after the limit; requests that are still pending continue in the background.
 */
export const broadcast = (
  { endpoints, network, timeoutMillis }: Recipients,
  raws: ReadonlyArray<string>,
  onRefused: OnRefused
): Effect.Effect<ReadonlyArray<Result.Result<void, RpcFailure>>> =>
  Effect.gen(function*() {
    const progress: BroadcastProgress = { taken: new Set(), wanted: raws.length, all: yield* Deferred.make<void>() }
    const broadcasts = Effect.forEach(endpoints, (endpoint) => broadcastTo(endpoint, raws, progress, onRefused), {
      concurrency: "unbounded"
    })
    const refusals = yield* Deferred.make<ReadonlyArray<ReadonlyMap<number, RpcFailure>>>()
    yield* Effect.forkDetach(Deferred.into(broadcasts, refusals))
    const ended = Effect.race(Effect.as(Deferred.await(progress.all), []), Deferred.await(refusals))
    const refusalMaps = timeoutMillis === undefined
      ? yield* ended
      : Option.getOrElse(yield* Effect.timeoutOption(ended, timeoutMillis), () => [])
    const noAnswer = new RpcUnavailable({
      network,
      reason: endpoints.length === 0 ? "no endpoint configured" : "timeout"
    })
    return raws.map((_, place): Result.Result<void, RpcFailure> => {
      if (progress.taken.has(place)) return Result.void
      // When no endpoint accepted the bytes, a refusal is preferred to a missing answer because it says more.
      const failures = refusalMaps.flatMap((all) => all.get(place) ?? [])
      return Result.fail(failures.find(({ _tag }) => _tag === "RpcRefused") ?? failures[0] ?? noAnswer)
    })
  })

/** Sends calls to one endpoint, in one request where it supports that; signed bytes always in order. */
export const inOrder = (endpoint: RpcEndpoint.RpcEndpoint, calls: ReadonlyArray<RpcEndpoint.Call>) =>
  endpoint.sendInOrder === undefined || calls.length === 1
    ? Effect.forEach(calls, (call) => Effect.result(endpoint.send(call)), {
      concurrency: calls[0]?.method === "eth_sendRawTransaction" ? 1 : "unbounded"
    })
    : endpoint.sendInOrder(calls)
