/**
 * Executes the intents of one queue: a vault's, or a wallet's. Every step survives a crash: the decision is committed
 * to the ledger before it is passed to the lane, and the lane's rows record its outcome.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { ExecutionFailure, type Failure } from "@vault-trader/core/failure/Failure"
import { GasWallet, idOf as walletIdOf } from "@vault-trader/core/gas-wallet/GasWallet"
import {
  botScope,
  endpointsOfBots,
  KillSwitch,
  stoppedText,
  walletScope
} from "@vault-trader/core/gas-wallet/KillSwitch"
import { vaultsOf } from "@vault-trader/core/gas-wallet/KeyLimits"
import { keyOf, type Settled, type Submission } from "@vault-trader/core/gas-wallet/Submission"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { type Intent, type Outcome, Succeeded } from "@vault-trader/core/intent/Intent"
import { type IntentQueue, isSame, queueOf } from "@vault-trader/core/intent/IntentQueue"
import { type Evidence, type IntentAlreadyEnded, IntentStore } from "@vault-trader/core/intent/IntentStore"
import { PlannedStepStore } from "@vault-trader/core/intent/PlannedStepStore"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import { executor } from "@vault-trader/core/vault/WalletQueue"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type { SqlError } from "effect/sql/SqlError"
import { Prices } from "../billing/Prices.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import { payableChecks, untilUnpayable } from "./Affordability.ts"
import { retryForever } from "../actor/Retry.ts"
import { type PlanContext, transactionOf, Unconfirmed } from "./Action.ts"
import { Actions } from "./Actions.ts"
import * as FairQueue from "./FairQueue.ts"
import * as IntentOutcome from "./IntentOutcome.ts"

export interface IntentRunner {
  /** Returns the intent's outcome. Executes the intent if it has not started, waits for it if it is in progress. */
  readonly run: (intentId: string) => Effect.Effect<Outcome, ExecutionFailure>
}

/** Retries of planning while no node answers; nothing has been signed when they end. */
const planningRetry = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(20)])
/** How long a queue polls for the off-chain outcome of a mined transaction before it executes other intents. */
const shortPolls = Schedule.exponential("200 millis", 1.5).pipe(Schedule.upTo({ duration: "5 seconds" }))
/** Intervals of the polls after that, until the outcome is known. */
const longPolls = Schedule.min([Schedule.exponential("1 second", 1.5), Schedule.spaced("15 seconds")])
/** Minimum time between two reads of all unfinished intents of the queue. */
const sweepMillis = 5_000
/** Maximum number of steps of an intent: each foreign transaction that takes its nonce makes it plan again. */
const maximumSteps = 5

export const make = (
  { chain, queue, stateOf }: {
    readonly chain: ChainClient
    readonly queue: IntentQueue
    readonly stateOf: (pool: Address) => PlanContext["state"]
  }
) =>
  Effect.gen(function*() {
    const intents = yield* IntentStore
    const submissions = yield* SubmissionStore
    const plans = yield* PlannedStepStore
    const prices = yield* Prices
    const actions = yield* Actions
    const { network } = queue
    const attributes = { network, [queue.of === "vault" ? "pool" : "wallet"]: queue.address }
    const outcomeOf = yield* IntentOutcome.make({ network, chain })
    const switches = yield* KillSwitch
    const wallets = yield* GasWallet.client
    const execute = yield* executor
    const fair = yield* FairQueue.make
    const scope = yield* Effect.scope
    const arrived = yield* Queue.unbounded<string>()
    const waiters = new Map<string, Deferred.Deferred<Outcome>>()
    /**
     * Intents in progress when this actor started: each is polled once only, so that the intents behind it do not wait.
     */
    const resumed = new Set<string>()

    /**
     * Fails while the bot is stopped, so that a stopped bot queries no venue either. Other intents are checked when
     * they are signed.
     */
    const unlessStopped = ({ pool, wallet }: Intent) =>
      Effect.flatMap(switches.on(["service", walletScope(wallet), botScope(network, pool)]), ([on]) =>
        on === undefined
          ? Effect.void
          : new ExecutionFailure({ errorType: "paused", message: `${stoppedText(on)}; nothing was sent.` }))

    /** Plans, and commits the decision together with its call. Returns an outcome when there is nothing to send. */
    const plan = (
      intent: Intent,
      step: number
    ): Effect.Effect<IntentOutcome.Ended | Stage, Failure | SqlError | IntentAlreadyEnded> =>
      Effect.gen(function*() {
        if (endpointsOfBots.includes(intent.endpoint)) {
          yield* unlessStopped(intent)
        }
        const action = actions.of(intent.request)
        const { pool } = intent
        const place = { network, pool, chain, wallet: intent.wallet, intentId: intent.id, state: stateOf(pool) }
        // A defect in planning ends this intent and not the wallet's queue. Caught only here: a commit whose response
        // is lost is a defect, too, and its submission may still be executed.
        const decision = yield* Effect.catchDefect(
          action.plan(place),
          (defect) =>
            Effect.andThen(
              Effect.logError("planning an intent ended in a defect", defect),
              IntentOutcome.planningDefect
            )
        )
        const transaction = transactionOf(pool, decision)
        if (transaction === undefined) {
          const { result } = yield* action.interpretReceipt({ network, pool }, decision.details, null)
          const nothingSpent = { gas_used: null, gas_cost: null, charge_usd: 0 }
          return {
            outcome: Succeeded.make({
              txHash: null,
              message: decision.nothingToDo,
              result: { ...result, ...nothingSpent }
            }),
            charge: Option.none()
          }
        }
        const charge = yield* prices.charge(network, action.charge, intent.wallet)
        const key = keyOf(intent.id, step)
        const call = { ...transaction, value: 0n }
        // Fails if another owner has committed this step first; then the rows are read again.
        const details = yield* plans.commit({
          step,
          plan: decision.details,
          vaults: vaultsOf({ network, pool, wallet: intent.wallet }, decision.vaults),
          usd18: decision.worth === undefined ? 0n : decision.worth,
          submission: {
            key,
            intentId: intent.id,
            network,
            wallet: intent.wallet,
            ...call,
            reserve: charge.nativeWei ?? 0n,
            estimate: decision.estimate ?? null
          }
        })
        return { step, details, submission: { key, wallet: intent.wallet, ...call } }
      })

    /** Passes a stored submission to its wallet and waits until its outcome is certain. */
    const settle = (submission: IntentOutcome.Call): Effect.Effect<Settled> =>
      wallets(walletIdOf(network, submission.wallet)).submit({ key: submission.key }).pipe(
        // The wallet's actor may be moving or busy. The row is stored, so a repeated call submits nothing twice.
        Effect.timeout("30 seconds"),
        retryForever
      )

    /**
     * Fails once the wallet cannot pay for its signed submission: the intent is deferred, and later intents are
     * executed.
     */
    const unlessPaid = ({ key, wallet }: IntentOutcome.Call, delay: Duration.Input) =>
      Effect.andThen(
        Effect.delay(untilUnpayable({ chain, store: submissions, network, wallet, key }), delay),
        new Unconfirmed({ reason: "its wallet cannot pay for its transaction" })
      )

    /** Executes an intent from the state of its rows to its outcome. */
    const executeIntent = (id: string) =>
      Effect.gen(function*() {
        const found = yield* intents.findInProgress(id)
        if (Option.isNone(found)) return Option.none<Outcome>()
        const { intent, plan: details, step: planned } = found.value
        if (intent.outcome !== null) return Option.some(intent.outcome)
        const committed = planned === 0 ? Option.none<Submission>() : yield* submissions.find(keyOf(id, planned))
        // Rows are read only at the start; steps that this run commits are kept in memory.
        let stage = Option.getOrUndefined(
          Option.map(committed, (submission): Stage => ({ step: planned, details, submission }))
        )
        for (;;) {
          const step = stage?.step ?? planned
          if (stage !== undefined) {
            const { details, submission } = stage
            const settled = yield* Effect.raceFirst(
              settle(submission),
              unlessPaid(submission, step === planned ? 0 : payableChecks)
            )
            if (settled._tag === "Mined") {
              const polls = resumed.has(id) ? Schedule.recurs(0) : shortPolls
              const end = yield* outcomeOf(intent, submission, settled.receipt, details).pipe(
                Effect.retry({ schedule: polls, while: ({ _tag }) => _tag === "Unconfirmed" })
              )
              return yield* finish(id, end, { submissionKey: submission.key, blockHash: settled.receipt.blockHash })
            }
            if (settled._tag === "Refused") return yield* finish(id, IntentOutcome.failed(settled.failure), { step })
            if (step >= maximumSteps) {
              return yield* finish(id, IntentOutcome.failed(IntentOutcome.overtaken(intent.wallet, maximumSteps)), {
                step
              })
            }
          }
          const next = yield* planOrFail(intent, step + 1)
          if ("outcome" in next) return yield* finish(id, next, { step })
          stage = next
        }
      })

    const isUnavailable = (failure: Failure | SqlError | IntentAlreadyEnded) =>
      failure._tag === "ExecutionFailure" && failure.errorType === "rpc_unavailable"

    const planOrFail = (
      intent: Intent,
      step: number
    ): Effect.Effect<IntentOutcome.Ended | Stage, SqlError | IntentAlreadyEnded> =>
      plan(intent, step).pipe(
        Effect.withSpan("intent.plan", { attributes: { step } }, { captureStackTrace: false }),
        Effect.retry({ schedule: planningRetry, while: isUnavailable }),
        Effect.catchTags({
          ValidationFailure: (failure) => Effect.succeed(IntentOutcome.failed(failure)),
          ExecutionFailure: (failure) => Effect.succeed(IntentOutcome.failed(failure))
        })
      )

    const finish = (id: string, { outcome, charge }: IntentOutcome.Ended, evidence?: Evidence) =>
      Effect.gen(function*() {
        if (!(yield* intents.finish(id, outcome, charge, evidence))) return yield* new Reorged({ id })
        const outcomeName = outcome._tag === "Succeeded"
          ? "succeeded"
          : outcome.failure._tag === "ExecutionFailure"
          ? outcome.failure.errorType
          : outcome.failure.code
        yield* Metrics.count(Metrics.intents, { network, outcome: outcomeName })
        if (Option.isSome(charge)) {
          yield* Metrics.count(Metrics.chargedUsd, { network, action: charge.value.action }, charge.value.usd)
        }
        return Option.some(outcome)
      }).pipe(
        Effect.withSpan("intent.outcome", { attributes: { outcome: outcome._tag } }, { captureStackTrace: false })
      )

    /** Checks whether the outcome of a mined transaction is known; fails while it is not. */
    const checkOutcome = (id: string) =>
      Effect.gen(function*() {
        const found = yield* intents.findInProgress(id)
        if (Option.isNone(found) || found.value.intent.outcome !== null) return
        const { intent, plan: details, step } = found.value
        const submission = yield* submissions.find(keyOf(id, step))
        if (Option.isNone(submission)) return
        const settled = yield* settle(submission.value)
        // Other outcomes are handled when the intent runs again.
        if (settled._tag === "Mined") yield* outcomeOf(intent, submission.value, settled.receipt, details)
      })

    /** Polls until the outcome is known, while other intents are executed; then queues the intent again. */
    const pollLater = (id: string) =>
      checkOutcome(id).pipe(
        Effect.tapCause((cause) => Effect.logDebug("the outcome of a mined transaction is not known yet", cause)),
        Effect.sandbox,
        Effect.retry(longPolls),
        Effect.ignore,
        IntentTrace.span("intent.lookOut", id, attributes),
        Effect.andThen(Effect.sync(() => Queue.offerUnsafe(arrived, id)))
      )

    const complete = (id: string, outcome: Option.Option<Outcome>) =>
      Effect.suspend(() => {
        const deferred = waiters.get(id)
        waiters.delete(id)
        if (deferred === undefined) return Effect.void
        return Option.match(outcome, {
          onNone: () => Deferred.die(deferred, new Error(`no intent ${id}`)),
          onSome: (value) => Deferred.succeed(deferred, value)
        })
      })

    const runIntent = (id: string) =>
      Effect.gen(function*() {
        const outcome = yield* executeIntent(id).pipe(
          Effect.catchTag("Unconfirmed", ({ reason }) =>
            Effect.as(
              Effect.logDebug(`an intent waits for its outcome while others run: ${reason}`),
              "deferred" as const
            )),
          Effect.tapCause((cause) => Effect.logWarning("an intent's run failed and is retried", cause)),
          Effect.sandbox,
          retryForever,
          IntentTrace.span("intent.carryOut", id, attributes)
        )
        yield* outcome === "deferred" ? Effect.forkIn(pollLater(id), scope) : complete(id, outcome)
      })

    /**
     * Waits for the outcome of an intent that belongs to another queue: a caller of the previous version may send it
     * here.
     */
    const forward = (other: IntentQueue, id: string) =>
      execute(other, id).pipe(
        Effect.timeout("30 seconds"),
        retryForever,
        Effect.flatMap((outcome) => complete(id, Option.some(outcome)))
      )

    const route = Effect.gen(function*() {
      const id = yield* Queue.take(arrived)
      const place = yield* retryForever(intents.placeOf(id))
      if (Option.isNone(place)) return yield* complete(id, Option.none())
      const own = queueOf(place.value)
      yield* isSame(own, queue) ? fair.add(place.value.wallet, runIntent(id)) : Effect.forkIn(forward(own, id), scope)
    }).pipe(Effect.forever)

    /**
     * Queues an id once and returns its deferred. Synchronous: an interrupted caller must not leave a deferred that is
     * never completed.
     */
    const join = (id: string) => {
      const known = waiters.get(id)
      if (known !== undefined) return known
      const deferred = Deferred.makeUnsafe<Outcome>()
      waiters.set(id, deferred)
      Queue.offerUnsafe(arrived, id)
      return deferred
    }

    const unfinished = yield* retryForever(intents.unfinished(queue))
    for (const id of unfinished) resumed.add(id)
    unfinished.forEach(join)
    yield* Effect.forkScoped(route)

    /**
     * Reads the queue's unfinished intents again: the message for one may have been lost while an older one is still
     * waiting.
     */
    let sweptAt = yield* Clock.currentTimeMillis
    const sweep = Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      if (now - sweptAt < sweepMillis) return
      sweptAt = now
      const found = yield* intents.unfinished(queue)
      found.forEach(join)
    }).pipe(Effect.ignore)

    return {
      run: (id) =>
        Effect.suspend(() => {
          const isKnown = waiters.has(id)
          const deferred = join(id)
          return Effect.andThen(isKnown ? Effect.forkIn(sweep, scope) : Effect.void, Deferred.await(deferred))
        })
    } satisfies IntentRunner
  })

/**
 * Before the outcome was written a reorg removed the receipt, or another owner continued the intent: the rows are read
 * again.
 */
class Reorged extends Data.TaggedError("Reorged")<{ readonly id: string }> {}

/** A committed step: the planner's decision as stored in its row, and its call. */
interface Stage {
  readonly step: number
  readonly details: unknown
  readonly submission: IntentOutcome.Call
}
