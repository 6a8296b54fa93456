/**
 * A pool of a network's endpoints: reads go to the best one and are hedged and retried; signed bytes go to all of them.
 */
import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as RpcEndpoint from "./RpcEndpoint.ts"
import { type RpcFailure, type RpcRefused, RpcUnavailable } from "./RpcFailure.ts"

export interface JsonRpc {
  /**
   * Returns a read's raw result. Reads are safe to repeat, so they are retried on other endpoints and after a pause.
   */
  readonly request: (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown, RpcFailure>
  /**
   * Sends many reads of one method in as few requests as nodes accept; returns the results in order. Fails when no node
   * answers: then nothing is known about any of them.
   */
  readonly requestAll: (
    method: string,
    params: ReadonlyArray<ReadonlyArray<unknown>>
  ) => Effect.Effect<ReadonlyArray<Result.Result<unknown, RpcRefused>>, RpcUnavailable>
  /**
   * Sends one read to every endpoint once. Returns the results of those that gave one, in no particular order: for
   * decisions that one endpoint must not make alone.
   */
  readonly requestEverywhere: (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<unknown>>
  /**
   * Sends the bytes to every endpoint, in the order given. Returns the results once each was accepted by one endpoint
   * or failed on all.
   */
  readonly broadcast: (raws: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Result.Result<void, RpcFailure>>>
}

/** Maximum number of blocks behind the best endpoint; beyond that an endpoint's answers are outdated. */
const maxLagBlocks = 3n
/**
 * How long a read without an answer is retried: rate limits and short outages end before that, and callers wait longer.
 */
const readRetryMillis = 6_000
const readRetry = Schedule.min([Schedule.exponential("40 millis", 1.8), Schedule.spaced("500 millis")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ duration: readRetryMillis })
)
/** Retries of a broadcast: the same bytes may be sent any number of times, and a lane sends them again later anyway. */
const sendRetry = Schedule.max([Schedule.jittered(Schedule.exponential("40 millis")), Schedule.recurs(3)])
/** A read is hedged when it takes this many times longer than usual. */
const hedgeFactor = 4
const minHedgeMillis = 150

/** Sorts endpoints, best first: those that keep up with the head, then by latency and errors. */
export const rank = (endpoints: ReadonlyArray<RpcEndpoint.RpcEndpoint>): ReadonlyArray<RpcEndpoint.RpcEndpoint> => {
  const best = endpoints.reduce((head, endpoint) => endpoint.score().head > head ? endpoint.score().head : head, 0n)
  const cost = (endpoint: RpcEndpoint.RpcEndpoint) => {
    const { latency, errors, head } = endpoint.score()
    const stale = head > 0n && best - head > maxLagBlocks
    return (latency + 1) * (1 + 20 * errors) + (stale ? 1e9 : 0)
  }
  return [...endpoints].sort((a, b) => cost(a) - cost(b))
}

type Answer = Result.Result<unknown, RpcFailure>
type Answers = ReadonlyArray<Result.Result<unknown, RpcRefused>>

export const make = (options: {
  readonly network: string
  readonly urls: ReadonlyArray<string>
  readonly timeout: Duration.Input
}): Effect.Effect<JsonRpc, never, HttpClient.HttpClient | Scope.Scope> =>
  Effect.map(
    Effect.forEach(
      options.urls,
      (url) => RpcEndpoint.make({ network: options.network, url, timeout: options.timeout })
    ),
    (endpoints) => overEndpoints(options.network, endpoints)
  )

/** Builds the pool over existing endpoints. */
export const overEndpoints = (network: string, endpoints: ReadonlyArray<RpcEndpoint.RpcEndpoint>): JsonRpc => {
  const none = new RpcUnavailable({ network, reason: "no endpoint configured" })

  /** Sends one call. A refusal counts as an answer: only an endpoint without an answer is skipped. */
  const sendOne = (endpoint: RpcEndpoint.RpcEndpoint, call: RpcEndpoint.Call): Effect.Effect<Answer, RpcUnavailable> =>
    endpoint.send(call).pipe(
      Effect.map((result): Answer => Result.succeed(result)),
      Effect.catchTag("RpcRefused", (refused) => Effect.succeed<Answer>(Result.fail(refused)))
    )

  /** Sends several calls; fails unless all of them are answered, because reads may be repeated. */
  const sendAll = (
    endpoint: RpcEndpoint.RpcEndpoint,
    calls: ReadonlyArray<RpcEndpoint.Call>
  ): Effect.Effect<Answers, RpcUnavailable> =>
    Effect.flatMap(inOrder(endpoint, calls), (results) => {
      const answers: Array<Answers[number]> = []
      for (const result of results) {
        if (Result.isSuccess(result)) answers.push(Result.succeed(result.success))
        else if (result.failure._tag === "RpcRefused") answers.push(Result.fail(result.failure))
        else return Effect.fail(result.failure)
      }
      return Effect.succeed(answers)
    })

  /** Returns the first endpoint's answer, or the next one's when the first fails or is slow. */
  const firstAnswer = <A>(
    query: (endpoint: RpcEndpoint.RpcEndpoint) => Effect.Effect<A, RpcUnavailable>,
    [first, ...others]: ReadonlyArray<RpcEndpoint.RpcEndpoint>
  ): Effect.Effect<A, RpcUnavailable> => {
    if (first === undefined) return none
    const here = query(first)
    if (others.length === 0) return here
    const hedgeAfterMillis = Math.max(minHedgeMillis, first.score().latency * hedgeFactor)
    const elsewhere = firstAnswer(query, others)
    return Effect.race(
      Effect.catch(here, () => elsewhere),
      Effect.delay(elsewhere, hedgeAfterMillis)
    )
  }

  const best = <A>(ask: (endpoint: RpcEndpoint.RpcEndpoint) => Effect.Effect<A, RpcUnavailable>) =>
    Effect.retry(Effect.suspend(() => firstAnswer(ask, rank(endpoints))), readRetry)

  return {
    request: (method, params) =>
      Effect.flatMap(best((endpoint) => sendOne(endpoint, { method, params })), Effect.fromResult),
    requestAll: (method, params) =>
      Effect.map(
        Effect.forEach(Arr.chunksOf(params, RpcEndpoint.batchSize), (chunk) =>
          best((endpoint) => sendAll(endpoint, chunk.map((each) => ({ method, params: each })))), { concurrency: 4 }),
        (chunks) =>
          chunks.flat()
      ),
    requestEverywhere: (method, params) =>
      Effect.map(
        Effect.forEach(endpoints, (endpoint) => Effect.option(endpoint.send({ method, params })), {
          concurrency: "unbounded"
        }),
        Arr.getSomes
      ),
    broadcast: (raws) => broadcast(endpoints, raws, none)
  }
}

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
  { all, taken, wanted }: BroadcastProgress
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
            if (Result.isFailure(result)) failures.set(place, result.failure)
            else {
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

/**
 * Broadcasts to all endpoints. Returns when each of the bytes was accepted by one endpoint or failed on all; requests
 * that are still pending continue in the background.
 */
const broadcast = (
  endpoints: ReadonlyArray<RpcEndpoint.RpcEndpoint>,
  raws: ReadonlyArray<string>,
  noEndpoint: RpcUnavailable
) =>
  Effect.gen(function*() {
    const progress: BroadcastProgress = { taken: new Set(), wanted: raws.length, all: yield* Deferred.make<void>() }
    const broadcasts = Effect.forEach(endpoints, (endpoint) => broadcastTo(endpoint, raws, progress), {
      concurrency: "unbounded"
    })
    const refusals = yield* Deferred.make<ReadonlyArray<ReadonlyMap<number, RpcFailure>>>()
    yield* Effect.forkDetach(Deferred.into(broadcasts, refusals))
    const refusalMaps = yield* Effect.race(Effect.as(Deferred.await(progress.all), []), Deferred.await(refusals))
    return raws.map((_, place): Result.Result<void, RpcFailure> => {
      if (progress.taken.has(place)) return Result.void
      // When no endpoint accepted the bytes, a refusal is preferred to a missing answer because it says more.
      const failures = refusalMaps.flatMap((all) => all.get(place) ?? [])
      return Result.fail(failures.find(({ _tag }) => _tag === "RpcRefused") ?? failures[0] ?? noEndpoint)
    })
  })

const inOrder = (endpoint: RpcEndpoint.RpcEndpoint, calls: ReadonlyArray<RpcEndpoint.Call>) =>
  endpoint.sendInOrder === undefined || calls.length === 1
    ? Effect.forEach(calls, (call) => Effect.result(endpoint.send(call)), {
      concurrency: calls[0]?.method === "eth_sendRawTransaction" ? 1 : "unbounded"
    })
    : endpoint.sendInOrder(calls)
