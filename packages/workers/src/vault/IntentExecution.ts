/**
 * Executes one intent from the state of its rows: plans a step, passes its submission to the wallet, and writes the
 * outcome.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { GasWallet, idOf as walletIdOf } from "@vault-trader/core/gas-wallet/GasWallet"
import { keyOf, type Receipt, type Settled, type Submission } from "@vault-trader/core/gas-wallet/Submission"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import type { Intent, Outcome } from "@vault-trader/core/intent/Intent"
import type { Evidence } from "@vault-trader/core/intent/IntentEnd"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import { outcomeAttribute } from "@vault-trader/core/telemetry/RecordingTracer"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { retryForever } from "../actor/Retry.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Actions, Unconfirmed } from "./Action.ts"
import { payableChecks, untilUnpayable } from "./Affordability.ts"
import { type EarlierStep, Waiting } from "./EarlierStep.ts"
import * as IntentOutcome from "./IntentOutcome.ts"
import type { Plan, PlannedStep } from "./IntentPlanner.ts"

/** Polls for the off-chain outcome of a mined transaction before the queue executes other intents. */
const shortPolls = Schedule.exponential("200 millis", 1.5).pipe(Schedule.upTo({ duration: "5 seconds" }))
/** Pause before an intent whose wallet is not explained is planned again. */
const unexplainedPause = "2 seconds"
/** No poll beyond the first, so that the intents behind do not wait. */
const onePoll = Schedule.recurs(0)
/** Maximum number of steps of an intent: each foreign transaction that takes its nonce makes it plan again. */
const maxSteps = 5

/**
 * Before the outcome was written a reorg removed the receipt, or another owner continued the intent: the rows are read
 * again.
 */
class Reorged extends Data.TaggedError("Reorged")<{ readonly id: string }> {}

export const make = ({ chain, network, plan }: {
  readonly chain: ChainClient
  readonly network: Network
  readonly plan: Plan
}) =>
  Effect.gen(function*() {
    const intents = yield* IntentStore
    const submissions = yield* SubmissionStore
    const outcomeOf = yield* IntentOutcome.make({ network, chain })
    const wallets = yield* GasWallet.client
    const settle = settler(network, wallets)
    const isExplained = (wallet: Address) =>
      retryForever(Effect.timeout(wallets(walletIdOf(network, wallet)).explained(), "30 seconds"))
    const actions = yield* Actions
    const read = reader(intents, submissions)
    const finish = finisher(network, intents)
    const settleStep = stepSettler({
      ...{ finish, outcomeOf, read, settle },
      lifetimeOf: ({ request, validFor }) => validFor ?? actions.of(request).lifetimeSeconds,
      stepOf: ({ request }, details) => actions.of(request).stepOf(details),
      unlessPaid: payer(chain, network, submissions)
    })

    return {
      /**
       * Executes an intent to its outcome; none for an unknown intent. `resumed`: it was in progress when the actor
       * started.
       */
      execute: (id: string, resumed: boolean) =>
        Effect.gen(function*() {
          const found = yield* read(id)
          if (found === undefined) return Option.none<Outcome>()
          const { intent } = found
          if (intent.outcome !== null) return Option.some(intent.outcome)
          // Rows are read only at the start; steps that this run commits are kept in memory.
          let { committed } = found
          for (;;) {
            const step = committed?.step ?? found.step
            let earlier: EarlierStep<unknown> | undefined = step === 0
              ? undefined
              : { details: found.details, receipt: null }
            if (committed !== undefined) {
              const settled = yield* settleStep(intent, committed, resumed, step !== found.step)
              if (settled._tag === "Ended") return Option.some(settled.outcome)
              earlier = settled.earlier
            }
            const next = step === 0 && found.withdrawn !== null
              ? IntentOutcome.failed(found.withdrawn.failure)
              : yield* plan(intent, step + 1, earlier)
            if ("outcome" in next) {
              // The rows may lack its execution, so its outcome is written only once they explain the wallet's transactions.
              if (!(yield* isExplained(intent.wallet))) {
                return yield* new Unconfirmed({ reason: "its wallet has transactions that the rows do not explain" })
              }
              return Option.some(yield* finish(id, next, { step }))
            }
            committed = next
          }
        }),
      /** Checks whether the outcome of a mined transaction is known; fails while it is not. */
      checkOutcome: (id: string) =>
        Effect.gen(function*() {
          const found = yield* read(id)
          if (found?.committed === undefined) return yield* Effect.sleep(unexplainedPause)
          const { details, submission } = found.committed
          const settled = yield* settle(submission)
          // Other outcomes are handled when the intent runs again.
          if (settled._tag === "Mined") yield* outcomeOf(found.intent, submission, settled.receipt, details)
        })
    }
  })

/** Makes the function that writes and counts an outcome. */
const finisher =
  (network: Network, intents: IntentStore["Service"]) =>
  (id: string, ended: IntentOutcome.Ended, evidence?: Evidence) =>
    Effect.gen(function*() {
      const { charge, outcome } = ended
      if (!(yield* intents.finish(id, outcome, charge, evidence))) return yield* new Reorged({ id })
      yield* count(network, ended)
      return outcome
    }).pipe(
      Effect.withSpan("intent.outcome", { attributes: { [outcomeAttribute]: ended.outcome._tag } }, {
        captureStackTrace: false
      })
    )

/** A settled step: the intent has ended with it, or it is planned on after it. */
type StepEnd =
  | { readonly _tag: "Ended"; readonly outcome: Outcome }
  | { readonly _tag: "Continued"; readonly earlier: EarlierStep<unknown> }

/** Seconds from the planning of a second step to the next try, by the number of steps: it grows to ten minutes. */
const retryPause = (step: number) => Math.min(15 * 2 ** Math.max(0, step - 2), 600)

/**
 * Makes the function that waits for the outcome of a committed step. The intent continues after the first step of two,
 * after a second step that was not executed, and when a foreign transaction took a step's nonce.
 */
const stepSettler = ({ finish, lifetimeOf, outcomeOf, read, settle, stepOf, unlessPaid }: {
  readonly finish: ReturnType<typeof finisher>
  readonly lifetimeOf: (intent: Intent) => number
  readonly stepOf: (intent: Intent, details: unknown) => "only" | "first" | "second"
  readonly outcomeOf: Effect.Success<ReturnType<typeof IntentOutcome.make>>
  readonly read: ReturnType<typeof reader>
  readonly settle: ReturnType<typeof settler>
  readonly unlessPaid: ReturnType<typeof payer>
}) =>
(intent: Intent, committedStep: PlannedStep, resumed: boolean, isNew: boolean) =>
  Effect.gen(function*() {
    const { step, submission } = committedStep
    const settled = yield* Effect.raceFirst(settle(submission), unlessPaid(submission, isNew ? payableChecks : 0))
    const evidence = (blockHash: string) => ({ submissionKey: submission.key, blockHash })
    const place = stepOf(intent, committedStep.details)
    const end = (ended: IntentOutcome.Ended, proof: Evidence) =>
      Effect.map(finish(intent.id, ended, proof), (outcome): StepEnd => ({ _tag: "Ended", outcome }))
    const goOn = (details: unknown, receipt: Receipt | null): StepEnd => ({
      _tag: "Continued",
      earlier: { details, receipt }
    })
    /** Plans the second step again, no sooner than some time after it was planned. */
    const again = (receipt: Receipt | null, reason: string) =>
      Effect.gen(function*() {
        const plannedAt = (submission.validUntil ?? 0) - lifetimeOf(intent) * 1_000
        const at = plannedAt + retryPause(step) * 1_000
        const left = at - (yield* Clock.currentTimeMillis)
        if (left <= 0) return goOn(committedStep.details, receipt)
        return yield* new Waiting({
          reason: `Its second step was not executed: ${reason} It is tried again at ${new Date(at).toISOString()}.`,
          seconds: left / 1_000
        })
      })
    if (settled._tag === "Cancelled") {
      const ended = IntentOutcome.cancelled(settled, lifetimeOf(intent))
      return place === "second"
        ? yield* again(settled.receipt, IntentOutcome.messageOf(ended))
        : yield* end(ended, evidence(settled.receipt.blockHash))
    }
    if (settled._tag === "Mined") {
      const current = settled.adopted === true
        ? (yield* read(intent.id))?.committed ?? committedStep
        : committedStep
      if (stepOf(intent, current.details) === "first" && settled.receipt.succeeded) {
        return goOn(current.details, settled.receipt)
      }
      const ended = yield* outcomeOf(intent, current.submission, settled.receipt, current.details).pipe(
        Effect.retry({ schedule: resumed ? onePoll : shortPolls, while: ({ _tag }) => _tag === "Unconfirmed" })
      )
      return place === "second" && !settled.receipt.succeeded
        ? yield* again(settled.receipt, IntentOutcome.messageOf(ended))
        : yield* end(ended, evidence(settled.receipt.blockHash))
    }
    if (settled._tag === "Refused") {
      return place === "second"
        ? yield* again(null, settled.failure.message)
        : yield* end(IntentOutcome.failed(settled.failure), { step })
    }
    if (place === "second") return goOn(committedStep.details, null)
    if (submission.validUntil !== null && (yield* Clock.currentTimeMillis) >= submission.validUntil) {
      return yield* end(IntentOutcome.expired(lifetimeOf(intent)), { step })
    }
    if (step < maxSteps) return goOn(committedStep.details, null)
    return yield* end(IntentOutcome.failed(IntentOutcome.overtaken(intent.wallet, maxSteps)), { step })
  })

/** Counts an outcome and its charge in the metrics. */
const count = (network: Network, { charge, outcome }: IntentOutcome.Ended) =>
  Effect.gen(function*() {
    const name = outcome._tag === "Succeeded"
      ? "succeeded"
      : outcome.failure._tag === "ExecutionFailure"
      ? outcome.failure.errorType
      : outcome.failure.code
    yield* Metrics.count(Metrics.intents, { network, outcome: name })
    if (Option.isSome(charge)) {
      yield* Metrics.count(Metrics.chargedUsd, { network, action: charge.value.action }, charge.value.usd)
    }
  })

/** Makes the function that passes a stored submission to its wallet and waits until its outcome is certain. */
const settler =
  (network: Network, wallets: Effect.Success<typeof GasWallet.client>) =>
  (submission: IntentOutcome.Call): Effect.Effect<Settled> =>
    wallets(walletIdOf(network, submission.wallet)).submit({ key: submission.key }).pipe(
      // The wallet's actor may be moving or busy. The row is stored, so a repeated call submits nothing twice.
      Effect.timeout("30 seconds"),
      retryForever
    )

/** Makes the function that reads an intent in progress and its committed step; `undefined` for an unknown intent. */
const reader = (intents: IntentStore["Service"], submissions: SubmissionStore["Service"]) => (id: string) =>
  Effect.gen(function*() {
    const found = yield* intents.findInProgress(id)
    if (Option.isNone(found)) return undefined
    const { intent, plan: details, step, withdrawn } = found.value
    const submission = step === 0 || intent.outcome !== null
      ? Option.none<Submission>()
      : yield* submissions.find(keyOf(id, step))
    const committed = Option.map(submission, (row): PlannedStep => ({ step, details, submission: row }))
    return { intent, step, details, withdrawn, committed: Option.getOrUndefined(committed) }
  })

/**
 * Makes the effect that fails once the wallet cannot pay for its signed submission: the intent is deferred, and later
 * intents are executed.
 */
const payer =
  (chain: ChainClient, network: Network, store: SubmissionStore["Service"]) =>
  ({ key, wallet }: IntentOutcome.Call, delay: Duration.Input) =>
    Effect.andThen(
      Effect.delay(untilUnpayable({ chain, store, network, wallet, key }), delay),
      new Unconfirmed({ reason: "its wallet cannot pay for its transaction" })
    )
