/**
 * Runs the intents of one queue: a vault's, or a wallet's. Every step survives a crash: the decision is committed to the
 * ledger before it is passed to the lane, and the lane's rows record its outcome.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { Outcome } from "@vault-trader/core/intent/Intent"
import { type IntentQueue, isSame, queueOf } from "@vault-trader/core/intent/IntentQueue"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import { executor } from "@vault-trader/core/vault/WalletQueue"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as KeyedJobs from "../actor/KeyedJobs.ts"
import { retryForever } from "../actor/Retry.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { PlanContext } from "./Action.ts"
import type { Waiting } from "./EarlierStep.ts"
import * as FairQueue from "./FairQueue.ts"
import * as IntentExecution from "./IntentExecution.ts"
import * as IntentPlanner from "./IntentPlanner.ts"

interface IntentRunner {
  /** Returns the intent's outcome. Executes the intent if it has not started, waits for it if it is in progress. */
  readonly run: (intentId: string) => Effect.Effect<Outcome, ExecutionFailure>
}

/** Intervals of the polls for the outcome of a mined transaction, while other intents are executed. */
const longPolls = Schedule.min([Schedule.exponential("1 second", 1.5), Schedule.spaced("15 seconds")])
/** Maximum pause of a waiting intent before it is planned again. */
const maxWaitSeconds = 30
/** Minimum time between two reads of all unfinished intents of the queue. */
const sweepMillis = 5_000

export const make = (
  { chain, queue, stateOf }: {
    readonly chain: ChainClient
    readonly queue: IntentQueue
    readonly stateOf: (pool: Address) => PlanContext["state"]
  }
) =>
  Effect.gen(function*() {
    const intents = yield* IntentStore
    const { network } = queue
    const attributes = { network, [queue.of === "vault" ? "pool" : "wallet"]: queue.address }
    const plan = yield* IntentPlanner.make({ chain, network, stateOf })
    const execution = yield* IntentExecution.make({ chain, network, plan })
    const execute = yield* executor
    const fair = yield* FairQueue.make
    const scope = yield* Effect.scope
    const jobs = yield* KeyedJobs.make<Outcome>()
    /** Intents that were in progress when this actor started: each is polled once before other intents run. */
    const resumed = new Set<string>()

    const complete = (id: string, outcome: Option.Option<Outcome>) => jobs.complete(id, toExit(id, outcome))

    /** Polls until the outcome is known, while other intents are executed; then queues the intent again. */
    const pollLater = (id: string) =>
      execution.checkOutcome(id).pipe(
        Effect.tapCause((cause) => Effect.logDebug("the outcome of a mined transaction is not known yet", cause)),
        Effect.sandbox,
        Effect.retry(longPolls),
        Effect.ignore,
        IntentTrace.span("intent.lookOut", id, attributes),
        Effect.andThen(jobs.enqueue([id]))
      )

    const runIntent = (id: string) =>
      Effect.gen(function*() {
        const outcome = yield* execution.execute(id, resumed.has(id)).pipe(
          Effect.catchTag("Unconfirmed", defer),
          Effect.catchTag("Waiting", noteWaiting(intents, id)),
          Effect.tapCause((cause) => Effect.logWarning("an intent's run failed and is retried", cause)),
          Effect.sandbox,
          retryForever,
          IntentTrace.span("intent.carryOut", id, attributes)
        )
        if (outcome === "deferred") return yield* Effect.asVoid(Effect.forkIn(pollLater(id), scope))
        yield* "pause" in outcome
          ? Effect.forkIn(Effect.delay(jobs.enqueue([id]), outcome.pause), scope)
          : complete(id, outcome)
      })

    /** Awaits the outcome in the intent's own queue: a caller of the previous version may send it to this one. */
    const forward = (other: IntentQueue, id: string) =>
      awaitIn(execute, other, id).pipe(
        Effect.flatMap((outcome) => complete(id, Option.some(outcome))),
        Effect.forkIn(scope)
      )

    const route = Effect.gen(function*() {
      const id = yield* jobs.take
      const place = yield* retryForever(intents.placeOf(id))
      if (Option.isNone(place)) return yield* complete(id, Option.none())
      const own = queueOf(place.value)
      yield* isSame(own, queue) ? fair.add(place.value.wallet, runIntent(id)) : forward(own, id)
    }).pipe(Effect.forever)

    const unfinished = yield* retryForever(intents.unfinished(queue))
    for (const id of unfinished) resumed.add(id)
    unfinished.forEach(jobs.join)
    yield* Effect.forkScoped(route)
    const sweep = yield* makeSweep(Effect.map(intents.unfinished(queue), (found) => found.forEach(jobs.join)))

    return {
      run: (id) =>
        Effect.suspend(() => {
          const isKnown = jobs.has(id)
          const deferred = jobs.join(id)
          return Effect.andThen(isKnown ? Effect.forkIn(sweep, scope) : Effect.void, Deferred.await(deferred))
        })
    } satisfies IntentRunner
  })

/** Defers an intent whose outcome is not known yet. */
const defer = ({ reason }: { readonly reason: string }) =>
  Effect.as(Effect.logDebug(`an intent waits for its outcome while others run: ${reason}`), "deferred" as const)

/** Records why an intent waits, and returns the pause after which it is queued again: its cause may end sooner. */
const noteWaiting = (intents: IntentStore["Service"], id: string) => ({ reason, seconds }: Waiting) =>
  Effect.as(
    Effect.andThen(
      Effect.logDebug(`an intent waits while others run: ${reason}`),
      intents.noteWaiting(id, reason)
    ),
    { pause: Duration.seconds(Math.min(Math.max(seconds, 1), maxWaitSeconds)) }
  )

/**
 * Makes an effect that joins the queue's unfinished intents again, at most every `sweepMillis`: the message for one may
 * have been lost while an older one is still waiting.
 */
const makeSweep = <E>(joinUnfinished: Effect.Effect<void, E>): Effect.Effect<Effect.Effect<void>> =>
  Effect.map(Clock.currentTimeMillis, (start) => {
    let sweptAt = start
    return Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      if (now - sweptAt < sweepMillis) return
      sweptAt = now
      yield* joinUnfinished
    }).pipe(Effect.ignore)
  })

/** Waits for an intent's outcome in another queue, which may be moving or busy. */
const awaitIn = (execute: Effect.Success<typeof executor>, queue: IntentQueue, id: string) =>
  execute(queue, id).pipe(Effect.timeout("30 seconds"), retryForever)

const toExit = (id: string, outcome: Option.Option<Outcome>): Exit.Exit<Outcome> =>
  Option.isSome(outcome) ? Exit.succeed(outcome.value) : Exit.die(new Error(`no intent ${id}`))
