/**
 * Carries out the intents of one queue: a vault's, or a wallet's. Every step is found again after a crash: what was decided
 * stands in the ledger before it is handed to the lane, and the lane's rows say what became of it.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { ExecutionFailure, type Failure } from "@vault-trader/core/failure/Failure"
import { GasWallet, idOf as walletIdOf } from "@vault-trader/core/gas-wallet/GasWallet"
import { botScope, endpointsOfBots, KillSwitch, stoppedText, walletScope } from "@vault-trader/core/gas-wallet/KillSwitch"
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
  /** The intent's outcome: carried out if it has not been, waited for if it is under way, told if it is over. */
  readonly run: (intentId: string) => Effect.Effect<Outcome, ExecutionFailure>
}

/** Planning gives up after this long without a node; nothing has been signed by then. */
const planningPatience = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(20)])
/** For how long a vault waits for what a mined transaction came to elsewhere, before others have their turn. */
const shortPolls = Schedule.exponential("200 millis", 1.5).pipe(Schedule.upTo({ duration: "5 seconds" }))
/** And how often it is looked for after that, until it is known. */
const longPolls = Schedule.min([Schedule.exponential("1 second", 1.5), Schedule.spaced("15 seconds")])
/** How often all unfinished intents of the queue are read again, at most. */
const sweepMillis = 5_000
/** How often an intent is planned anew because a foreign transaction took its nonce. */
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
    const about = { network, [queue.of === "vault" ? "pool" : "wallet"]: queue.address }
    const ended = yield* IntentOutcome.make({ network, chain })
    const switches = yield* KillSwitch
    const wallets = yield* GasWallet.client
    const execute = yield* executor
    const fair = yield* FairQueue.make
    const scope = yield* Effect.scope
    const arrived = yield* Queue.unbounded<string>()
    const waiting = new Map<string, Deferred.Deferred<Outcome>>()
    /** Under way when this actor was built: nobody behind them waits for more than one look. */
    const resumed = new Set<string>()

    /** A bot that is stopped does not ask venues either; of everything else the signature is early enough. */
    const unlessStopped = ({ pool, wallet }: Intent) =>
      Effect.flatMap(switches.on(["service", walletScope(wallet), botScope(network, pool)]), ([on]) =>
        on === undefined ? Effect.void : new ExecutionFailure({ errorType: "paused", message: `${stoppedText(on)}; nothing was sent.` }))

    /** Decides, and commits the decision with the call it came to. An outcome when there is nothing to send. */
    const plan = (intent: Intent, step: number): Effect.Effect<IntentOutcome.Ended | Stage, Failure | SqlError | IntentAlreadyEnded> =>
      Effect.gen(function*() {
        if (endpointsOfBots.includes(intent.endpoint)) yield* unlessStopped(intent)
        const action = actions.of(intent.request)
        const { pool } = intent
        const place = { network, pool, chain, wallet: intent.wallet, intentId: intent.id, state: stateOf(pool) }
        // A bug in planning ends this intent, not its wallet's line of them. Only here: a commit whose answer is lost is a defect too,
        // and what it committed may well be carried out.
        const decision = yield* Effect.catchDefect(action.plan(place), (defect) =>
          Effect.andThen(Effect.logError("planning an intent ended in a defect", defect), IntentOutcome.planningDefect))
        const transaction = transactionOf(pool, decision)
        if (transaction === undefined) {
          const { result } = yield* action.interpretReceipt({ network, pool }, decision.details, null)
          const nothingSpent = { gas_used: null, gas_cost: null, charge_usd: 0 }
          return {
            outcome: Succeeded.make({ txHash: null, message: decision.nothingToDo, result: { ...result, ...nothingSpent } }),
            charge: Option.none()
          }
        }
        const charge = yield* prices.charge(network, action.charge, intent.wallet)
        const key = keyOf(intent.id, step)
        const call = { ...transaction, value: 0n }
        // Where another owner got here first this fails, and the rows are read again.
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

    /** Hands a stored submission to its wallet and stays with it until its fate is certain. */
    const settle = (submission: IntentOutcome.Call): Effect.Effect<Settled> =>
      wallets(walletIdOf(network, submission.wallet)).submit({ key: submission.key }).pipe(
        // The wallet's actor may be moving or busy; the row is there, so asking again repeats nothing.
        Effect.timeout("30 seconds"),
        retryForever
      )

    /** Fails once the wallet cannot pay for its signed submission: the intent waits aside, and later intents get their turn. */
    const unlessPaid = ({ key, wallet }: IntentOutcome.Call, delay: Duration.Input) =>
      Effect.andThen(
        Effect.delay(untilUnpayable({ chain, store: submissions, network, wallet, key }), delay),
        new Unconfirmed({ reason: "its wallet cannot pay for its transaction" })
      )

    /** One intent from where its rows stand to its outcome. */
    const executeIntent = (id: string) =>
      Effect.gen(function*() {
        const found = yield* intents.findInProgress(id)
        if (Option.isNone(found)) return Option.none<Outcome>()
        const { intent, plan: details, step: planned } = found.value
        if (intent.outcome !== null) return Option.some(intent.outcome)
        const kept = planned === 0 ? Option.none<Submission>() : yield* submissions.find(keyOf(id, planned))
        // What this turn commits itself stands as it was committed; only a turn that begins reads rows.
        let stage = Option.getOrUndefined(Option.map(kept, (submission): Stage => ({ step: planned, details, submission })))
        for (;;) {
          const step = stage?.step ?? planned
          if (stage !== undefined) {
            const { details, submission } = stage
            const settled = yield* Effect.raceFirst(settle(submission), unlessPaid(submission, step === planned ? 0 : payableChecks))
            if (settled._tag === "Mined") {
              const looks = resumed.has(id) ? Schedule.recurs(0) : shortPolls
              const end = yield* ended(intent, submission, settled.receipt, details).pipe(
                Effect.retry({ schedule: looks, while: ({ _tag }) => _tag === "Unconfirmed" })
              )
              return yield* finish(id, end, { submissionKey: submission.key, blockHash: settled.receipt.blockHash })
            }
            if (settled._tag === "Refused") return yield* finish(id, IntentOutcome.failed(settled.failure), { step })
            if (step >= maximumSteps) return yield* finish(id, IntentOutcome.failed(IntentOutcome.overtaken(intent.wallet, maximumSteps)), { step })
          }
          const next = yield* planOrFail(intent, step + 1)
          if ("outcome" in next) return yield* finish(id, next, { step })
          stage = next
        }
      })

    const isUnavailable = (failure: Failure | SqlError | IntentAlreadyEnded) => failure._tag === "ExecutionFailure" && failure.errorType === "rpc_unavailable"

    const planOrFail = (intent: Intent, step: number): Effect.Effect<IntentOutcome.Ended | Stage, SqlError | IntentAlreadyEnded> =>
      plan(intent, step).pipe(
        Effect.withSpan("intent.plan", { attributes: { step } }, { captureStackTrace: false }),
        Effect.retry({ schedule: planningPatience, while: isUnavailable }),
        Effect.catchTags({
          ValidationFailure: (failure) => Effect.succeed(IntentOutcome.failed(failure)),
          ExecutionFailure: (failure) => Effect.succeed(IntentOutcome.failed(failure))
        })
      )

    const finish = (id: string, { outcome, charge }: IntentOutcome.Ended, evidence?: Evidence) =>
      Effect.gen(function*() {
        if (!(yield* intents.finish(id, outcome, charge, evidence))) return yield* new Reorged({ id })
        const said = outcome._tag === "Succeeded" ? "succeeded" : outcome.failure._tag === "ExecutionFailure" ? outcome.failure.errorType : outcome.failure.code
        yield* Metrics.count(Metrics.intents, { network, outcome: said })
        if (Option.isSome(charge)) yield* Metrics.count(Metrics.chargedUsd, { network, action: charge.value.action }, charge.value.usd)
        return Option.some(outcome)
      }).pipe(Effect.withSpan("intent.outcome", { attributes: { outcome: outcome._tag } }, { captureStackTrace: false }))

    /** Whether what a mined transaction came to can be told by now; fails while it cannot. */
    const look = (id: string) =>
      Effect.gen(function*() {
        const found = yield* intents.findInProgress(id)
        if (Option.isNone(found) || found.value.intent.outcome !== null) return
        const { intent, plan: details, step } = found.value
        const submission = yield* submissions.find(keyOf(id, step))
        if (Option.isNone(submission)) return
        const settled = yield* settle(submission.value)
        // Whatever else became of it is its turn's affair.
        if (settled._tag === "Mined") yield* ended(intent, submission.value, settled.receipt, details)
      })

    /** Looks until there is an answer, while others have their turns; then its own turn comes again. */
    const pollLater = (id: string) =>
      look(id).pipe(
        Effect.tapCause((cause) => Effect.logDebug("what came of a mined transaction is not known yet", cause)),
        Effect.sandbox,
        Effect.retry(longPolls),
        Effect.ignore,
        IntentTrace.span("intent.lookOut", id, about),
        Effect.andThen(Effect.sync(() => Queue.offerUnsafe(arrived, id)))
      )

    const complete = (id: string, outcome: Option.Option<Outcome>) =>
      Effect.suspend(() => {
        const deferred = waiting.get(id)
        waiting.delete(id)
        if (deferred === undefined) return Effect.void
        return Option.match(outcome, {
          onNone: () => Deferred.die(deferred, new Error(`no intent ${id}`)),
          onSome: (value) => Deferred.succeed(deferred, value)
        })
      })

    const turn = (id: string) => Effect.gen(function*() {
      const outcome = yield* executeIntent(id).pipe(
        Effect.catchTag("Unconfirmed", ({ reason }) =>
          Effect.as(Effect.logDebug(`an intent is mined and goes aside: ${reason}`), "aside" as const)),
        Effect.tapCause((cause) => Effect.logWarning("an intent's turn failed and is repeated", cause)),
        Effect.sandbox,
        retryForever,
        IntentTrace.span("intent.carryOut", id, about)
      )
      yield* outcome === "aside" ? Effect.forkIn(pollLater(id), scope) : complete(id, outcome)
    })

    /** Waits for the outcome of an intent that another queue carries out: a caller of the version before may send it here. */
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
      yield* isSame(own, queue) ? fair.add(place.value.wallet, turn(id)) : Effect.forkIn(forward(own, id), scope)
    }).pipe(Effect.forever)

    /** In one step: a caller that is interrupted in the middle must not leave a place in the waiting room that nobody calls up. */
    const join = (id: string) => {
      const known = waiting.get(id)
      if (known !== undefined) return known
      const deferred = Deferred.makeUnsafe<Outcome>()
      waiting.set(id, deferred)
      Queue.offerUnsafe(arrived, id)
      return deferred
    }

    const unfinished = yield* retryForever(intents.unfinished(queue))
    for (const id of unfinished) resumed.add(id)
    unfinished.forEach(join)
    yield* Effect.forkScoped(route)

    /** Reads the queue's unfinished intents again: the message for one may have been lost while an older one keeps waiting. */
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
          const isKnown = waiting.has(id)
          const deferred = join(id)
          return Effect.andThen(isKnown ? Effect.forkIn(sweep, scope) : Effect.void, Deferred.await(deferred))
        })
    } satisfies IntentRunner
  })

/** A reorg took the receipt back, or another owner went on, before the outcome was written: the rows are read again. */
class Reorged extends Data.TaggedError("Reorged")<{ readonly id: string }> {}

/** A committed step: the planner's decision as a row keeps it, and the call it came to. */
interface Stage {
  readonly step: number
  readonly details: unknown
  readonly submission: IntentOutcome.Call
}
