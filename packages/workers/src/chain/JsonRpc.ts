/** A network's endpoints as one: reads go to the best and are hedged and repeated, identical signed bytes go to all of them. */
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
  /** A read's result as the node gave it. Safe to repeat, so it is: on other endpoints, and after a pause. */
  readonly request: (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown, RpcFailure>
  /**
   * Many reads of one method in as few requests as nodes take, what became of each in order. Fails where a node answers nothing: then
   * nothing is known about any of them.
   */
  readonly requestAll: (method: string, params: ReadonlyArray<ReadonlyArray<unknown>>) =>
    Effect.Effect<ReadonlyArray<Result.Result<unknown, RpcRefused>>, RpcUnavailable>
  /**
   * Sends one read to every endpoint once. Returns the results of those that gave one, in no particular order: for decisions that one
   * endpoint must not make alone.
   */
  readonly requestEverywhere: (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<unknown>>
  /** Hands identical bytes to every endpoint, in the order given; what became of each once an endpoint takes it, or none does. */
  readonly broadcast: (raws: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Result.Result<void, RpcFailure>>>
}

/** An endpoint this far behind the best answers from the past. */
const tolerableLag = 3n
/** A read that got no answer is repeated for so long: rate limits and hiccups pass, and a caller waits for longer. */
const readMillis = 6_000
const retries = Schedule.min([Schedule.exponential("40 millis", 1.8), Schedule.spaced("500 millis")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ duration: readMillis })
)
/** The same bytes may be handed over any number of times; a lane offers them again later anyway. */
const sendRetries = Schedule.max([Schedule.jittered(Schedule.exponential("40 millis")), Schedule.recurs(3)])
/** A read hedges when it takes this many times longer than usual. */
const hedgeFactor = 4
const leastHedgeMillis = 150

/** Best first: those that keep up with the head, then by latency and errors. */
export const ranked = (endpoints: ReadonlyArray<RpcEndpoint.RpcEndpoint>): ReadonlyArray<RpcEndpoint.RpcEndpoint> => {
  const best = endpoints.reduce((head, endpoint) => endpoint.score().head > head ? endpoint.score().head : head, 0n)
  const cost = (endpoint: RpcEndpoint.RpcEndpoint) => {
    const { latency, errors, head } = endpoint.score()
    const stale = head > 0n && best - head > tolerableLag
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
    Effect.forEach(options.urls, (url) => RpcEndpoint.make({ network: options.network, url, timeout: options.timeout })),
    (endpoints) => over(options.network, endpoints)
  )

/** The pool over endpoints that exist already. */
export const over = (network: string, endpoints: ReadonlyArray<RpcEndpoint.RpcEndpoint>): JsonRpc => {
  const none = new RpcUnavailable({ network, reason: "no endpoint configured" })

  /** A refusal is an answer: only an endpoint that says nothing is passed over. */
  const asked = (endpoint: RpcEndpoint.RpcEndpoint, call: RpcEndpoint.Call): Effect.Effect<Answer, RpcUnavailable> =>
    endpoint.send(call).pipe(
      Effect.map((result): Answer => Result.succeed(result)),
      Effect.catchTag("RpcRefused", (refused) => Effect.succeed<Answer>(Result.fail(refused)))
    )

  /** All of them answered, or none: reads may be repeated. */
  const askedAll = (endpoint: RpcEndpoint.RpcEndpoint, calls: ReadonlyArray<RpcEndpoint.Call>): Effect.Effect<Answers, RpcUnavailable> =>
    Effect.flatMap(inOrder(endpoint, calls), (results) => {
      const answers: Array<Answers[number]> = []
      for (const result of results) {
        if (Result.isSuccess(result)) answers.push(Result.succeed(result.success))
        else if (result.failure._tag === "RpcRefused") answers.push(Result.fail(result.failure))
        else return Effect.fail(result.failure)
      }
      return Effect.succeed(answers)
    })

  /** The first endpoint's answer; the next one's when that fails, or also when it is slow. */
  const inTurn = <A>(
    ask: (endpoint: RpcEndpoint.RpcEndpoint) => Effect.Effect<A, RpcUnavailable>,
    [first, ...others]: ReadonlyArray<RpcEndpoint.RpcEndpoint>
  ): Effect.Effect<A, RpcUnavailable> => {
    if (first === undefined) return none
    const here = ask(first)
    if (others.length === 0) return here
    const patience = Math.max(leastHedgeMillis, first.score().latency * hedgeFactor)
    const elsewhere = inTurn(ask, others)
    return Effect.race(
      Effect.catch(here, () => elsewhere),
      Effect.delay(elsewhere, patience)
    )
  }

  const best = <A>(ask: (endpoint: RpcEndpoint.RpcEndpoint) => Effect.Effect<A, RpcUnavailable>) =>
    Effect.retry(Effect.suspend(() => inTurn(ask, ranked(endpoints))), retries)

  return {
    request: (method, params) => Effect.flatMap(best((endpoint) => asked(endpoint, { method, params })), Effect.fromResult),
    requestAll: (method, params) =>
      Effect.map(
        Effect.forEach(Arr.chunksOf(params, RpcEndpoint.batchSize), (chunk) =>
          best((endpoint) => askedAll(endpoint, chunk.map((each) => ({ method, params: each })))), { concurrency: 4 }),
        (chunks) => chunks.flat()
      ),
    requestEverywhere: (method, params) =>
      Effect.map(
        Effect.forEach(endpoints, (endpoint) => Effect.option(endpoint.send({ method, params })), { concurrency: "unbounded" }),
        Arr.getSomes
      ),
    // Answers when each was taken by one or refused by all; those that are still being asked go on by themselves.
    broadcast: (raws) =>
      Effect.gen(function*() {
        const hands: Hands = { taken: new Set(), wanted: raws.length, all: yield* Deferred.make<void>() }
        const asked = Effect.forEach(endpoints, (endpoint) => broadcastTo(endpoint, raws, hands), { concurrency: "unbounded" })
        const refusals = yield* Deferred.make<ReadonlyArray<ReadonlyMap<number, RpcFailure>>>()
        yield* Effect.forkDetach(Deferred.into(asked, refusals))
        const answered = yield* Effect.race(Effect.as(Deferred.await(hands.all), []), Deferred.await(refusals))
        return raws.map((_, place): Result.Result<void, RpcFailure> => {
          if (hands.taken.has(place)) return Result.void
          // A refusal says more than silence: it is what the lane is told when nobody took them.
          const failures = answered.flatMap((all) => all.get(place) ?? [])
          return Result.fail(failures.find(({ _tag }) => _tag === "RpcRefused") ?? failures[0] ?? none)
        })
      })
  }
}

/** Which of the bytes an endpoint has taken, by their places; `all` when every one has been. */
interface Hands {
  readonly taken: Set<number>
  readonly wanted: number
  readonly all: Deferred.Deferred<void>
}

/** Offers the bytes to one endpoint, a request at a time; those it says nothing about, again. Answers its last word on those it did not take. */
const broadcastTo = (endpoint: RpcEndpoint.RpcEndpoint, raws: ReadonlyArray<string>, { all, taken, wanted }: Hands) =>
  Effect.gen(function*() {
    const failures = new Map<number, RpcFailure>()
    const offer = (places: ReadonlyArray<number>) =>
      Effect.map(inOrder(endpoint, places.map((place) => ({ method: "eth_sendRawTransaction", params: [raws[place]] }))), (results) => {
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
      })
    for (const places of Arr.chunksOf(raws.keys(), RpcEndpoint.batchSize)) {
      let left: ReadonlyArray<number> = places
      const attempt = Effect.suspend(() =>
        Effect.flatMap(offer(left), () => {
          left = left.filter((place) => failures.get(place)?._tag === "RpcUnavailable")
          return left.length === 0 ? Effect.void : Effect.fail("unanswered" as const)
        }))
      yield* Effect.ignore(Effect.retry(attempt, sendRetries))
    }
    return failures
  })

const inOrder = (endpoint: RpcEndpoint.RpcEndpoint, calls: ReadonlyArray<RpcEndpoint.Call>) =>
  endpoint.sendInOrder === undefined || calls.length === 1
    ? Effect.forEach(calls, (call) => Effect.result(endpoint.send(call)), { concurrency: calls[0]?.method === "eth_sendRawTransaction" ? 1 : "unbounded" })
    : endpoint.sendInOrder(calls)
