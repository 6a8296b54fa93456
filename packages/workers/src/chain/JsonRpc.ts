/**
 * A pool of a network's endpoints: reads go to the best one and are hedged and retried; signed bytes go to all of them.
 */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { broadcast, inOrder, type OnRefused } from "./Broadcast.ts"
import * as Contradictions from "./Contradictions.ts"
import * as RpcEndpoint from "./RpcEndpoint.ts"
import { type RpcFailure, type RpcRefused, RpcUnavailable } from "./RpcFailure.ts"

/** An answer, and the place in the operator's list of the endpoint that gave it. */
interface EndpointAnswer<A> {
  readonly endpoint: number
  readonly answer: A
}

export interface JsonRpc {
  /** Number of endpoints that are read from. */
  readonly endpoints: number
  /** Returns the places of the endpoints in the operator's list, best first. */
  readonly ranking: Effect.Effect<ReadonlyArray<number>>
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
  /** The same, with the endpoint that answered each of them. */
  readonly requestAllWithEndpoint: (
    method: string,
    params: ReadonlyArray<ReadonlyArray<unknown>>
  ) => Effect.Effect<ReadonlyArray<EndpointAnswer<Result.Result<unknown, RpcRefused>>>, RpcUnavailable>
  /** The same from this endpoint only, once, for two seconds. */
  readonly requestAllOf: (
    endpoint: number,
    method: string,
    params: ReadonlyArray<ReadonlyArray<unknown>>
  ) => Effect.Effect<ReadonlyArray<Result.Result<unknown, RpcRefused>>, RpcUnavailable>
  /**
   * Sends one read to every endpoint once. Returns the results of those that gave one, in no particular order: for
   * decisions that one endpoint must not make alone.
   */
  readonly requestEverywhere: (
    method: string,
    params: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<EndpointAnswer<unknown>>>
  /** Compares endpoints' answers to one question; one that is wrong is ranked last for some minutes. */
  readonly compare: Contradictions.Contradictions["compare"]
  /** Returns whether endpoints have contradicted each other in the last minutes. */
  readonly isDisputed: Effect.Effect<boolean>
  /** Names endpoints whose heads, read at the same time, are far behind the newest one. */
  readonly compareHeads: Contradictions.Contradictions["compareHeads"]
  /**
   * Sends the bytes to every endpoint, in the order given. Returns the results once each was accepted by one endpoint
   * or failed on all. With `privately`, and where the network has private endpoints, sends them to those only and waits
   * at most a few seconds for them. `onRefused` hears of each endpoint's refusal, also after the results are returned.
   */
  readonly broadcast: (
    raws: ReadonlyArray<string>,
    options?: { readonly privately?: boolean; readonly onRefused?: OnRefused }
  ) => Effect.Effect<ReadonlyArray<Result.Result<void, RpcFailure>>>
}

/**
 * How long a read without an answer is retried: rate limits and short outages end before that, and callers wait longer.
 */
const readRetryMillis = 6_000
const readRetry = Schedule.min([Schedule.exponential("40 millis", 1.8), Schedule.spaced("500 millis")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ duration: readRetryMillis })
)
/** Limit of a read from one certain endpoint: others can answer instead, so its caller does not wait long for it. */
const singleReadTimeoutMillis = 2_000
/** How long a broadcast waits for private endpoints: the transactions behind it must not wait for one that hangs. */
const privateTimeoutMillis = 3_000
/** A read is hedged when it takes this many times longer than usual. */
const hedgeFactor = 4
const minHedgeMillis = 150

/**
 * Sorts endpoints, best first: those that contradict no other, then those that keep up with the head, then by latency
 * and errors.
 */
export const rank = (
  endpoints: ReadonlyArray<RpcEndpoint.RpcEndpoint>,
  isPenalized: (endpoint: RpcEndpoint.RpcEndpoint) => boolean = () => false
): ReadonlyArray<RpcEndpoint.RpcEndpoint> => {
  const best = endpoints.reduce((head, endpoint) => endpoint.score().head > head ? endpoint.score().head : head, 0n)
  const cost = (endpoint: RpcEndpoint.RpcEndpoint) => {
    const { latency, errors, head } = endpoint.score()
    const stale = head > 0n && best - head > Contradictions.maxLagBlocks
    return (latency + 1) * (1 + 20 * errors) + (stale ? 1e9 : 0) + (isPenalized(endpoint) ? 1e12 : 0)
  }
  return [...endpoints].sort((a, b) => cost(a) - cost(b))
}

type Answer = Result.Result<unknown, RpcFailure>
type Answers = ReadonlyArray<Result.Result<unknown, RpcRefused>>

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

/** Builds the reads from certain endpoints, each with the place of the endpoint that answered. */
const readsByEndpoint = (
  network: string,
  endpoints: ReadonlyArray<RpcEndpoint.RpcEndpoint>
): Pick<JsonRpc, "requestAllOf" | "requestEverywhere"> => {
  const unavailable = (reason: string) => Effect.fail(new RpcUnavailable({ network, reason }))
  return {
    requestAllOf: (place, method, params) => {
      const endpoint = endpoints[place]
      if (endpoint === undefined) return unavailable("no endpoint configured")
      return Effect.forEach(
        Arr.chunksOf(params, RpcEndpoint.batchSize),
        (chunk) => sendAll(endpoint, chunk.map((each) => ({ method, params: each }))),
        { concurrency: 4 }
      ).pipe(
        Effect.map((chunks) => chunks.flat()),
        Effect.timeoutOrElse({ duration: singleReadTimeoutMillis, orElse: () => unavailable("timeout") })
      )
    },
    requestEverywhere: (method, params) =>
      Effect.map(
        Effect.forEach(endpoints, (each, endpoint) =>
          Effect.option(Effect.map(each.send({ method, params }), (answer) => ({ endpoint, answer }))), {
          concurrency: "unbounded"
        }),
        Arr.getSomes
      )
  }
}

/** Builds the pool over existing endpoints. `privateEndpoints` only take signed bytes. */
export const overEndpoints = (
  network: string,
  endpoints: ReadonlyArray<RpcEndpoint.RpcEndpoint>,
  privateEndpoints: ReadonlyArray<RpcEndpoint.RpcEndpoint> = []
): JsonRpc => {
  const none = new RpcUnavailable({ network, reason: "no endpoint configured" })
  const contradictions = Contradictions.make(network, endpoints.map(({ name }) => name))
  const ranked = Effect.map(
    Clock.currentTimeMillis,
    (now) => rank(endpoints, (endpoint) => contradictions.isPenalized(endpoints.indexOf(endpoint), now))
  )

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
    Effect.retry(Effect.flatMap(ranked, (all) => firstAnswer(ask, all)), readRetry)

  const requestAllWithEndpoint: JsonRpc["requestAllWithEndpoint"] = (method, params) =>
    Effect.map(
      Effect.forEach(Arr.chunksOf(params, RpcEndpoint.batchSize), (chunk) =>
        best((endpoint) =>
          Effect.map(sendAll(endpoint, chunk.map((each) => ({ method, params: each }))), (answers) =>
            answers.map((answer) => ({ endpoint: endpoints.indexOf(endpoint), answer })))
        ), { concurrency: 4 }),
      (chunks) =>
        chunks.flat()
    )

  return {
    endpoints: endpoints.length,
    ranking: Effect.map(ranked, (all) => all.map((endpoint) => endpoints.indexOf(endpoint))),
    compare: contradictions.compare,
    compareHeads: contradictions.compareHeads,
    isDisputed: Effect.map(Clock.currentTimeMillis, contradictions.isDisputed),
    ...readsByEndpoint(network, endpoints),
    requestAllWithEndpoint,
    request: (method, params) =>
      Effect.flatMap(best((endpoint) => sendOne(endpoint, { method, params })), Effect.fromResult),
    requestAll: (method, params) =>
      Effect.map(requestAllWithEndpoint(method, params), (answers) => answers.map(({ answer }) => answer)),
    broadcast: (raws, { onRefused = () => {}, privately = false } = {}) =>
      privately && privateEndpoints.length > 0
        ? broadcast({ network, endpoints: privateEndpoints, timeoutMillis: privateTimeoutMillis }, raws, onRefused)
        : broadcast({ network, endpoints: [...endpoints, ...privateEndpoints] }, raws, onRefused)
  }
}
