/**
 * The nonce sequence of one wallet on one network. The order never changes: bytes and nonce are committed, then
 * broadcast, then tracked until their outcome is certain. After a crash the lane resumes from the rows.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { Refused, type Settled, settledOf, type Submission, Superseded } from "@vault-trader/core/gas-wallet/Submission"
import type { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { LaneReconciliationStore } from "@vault-trader/core/gas-wallet/LaneReconciliationStore"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Scope } from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import * as KeyedJobs from "../actor/KeyedJobs.ts"
import { retryForever } from "../actor/Retry.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import * as AttemptRecord from "./AttemptRecord.ts"
import * as LaneQuarantines from "./LaneQuarantines.ts"
import * as LaneReconciler from "./LaneReconciler.ts"
import * as SubmissionSender from "./SubmissionSender.ts"
import * as TransactionTracker from "./TransactionTracker.ts"
import { KeyLimitCheck } from "./KeyLimitCheck.ts"
import { Signer } from "./Signer.ts"
import { SigningPolicy } from "./SigningPolicy.ts"
import { SigningRecord } from "./SigningRecord.ts"
import type { SignerAway } from "./SigningStop.ts"
import * as TrustedRows from "./TrustedRows.ts"
import { WalletAlerts } from "./WalletAlerts.ts"

export interface NonceLane {
  /**
   * Starts a stored submission if it is not in progress, and waits until it is settled. Interrupting the wait does not
   * stop the work.
   */
  readonly submit: (key: string) => Effect.Effect<Settled, ExecutionFailure>
  /**
   * Checks whether a deep reorg has removed mined or final transactions. Called when the chain counts fewer
   * transactions than the rows.
   */
  readonly recheck: Effect.Effect<void>
  /**
   * Explains transactions of the wallet that the rows do not. Called when the chain counts more transactions than the
   * rows explain.
   */
  readonly reconcile: Effect.Effect<void, RpcFailure | SignerAway | SqlError>
  /**
   * Returns true when the rows explain every transaction of the wallet; reconciles them otherwise, as far as nodes
   * answer.
   */
  readonly isExplained: Effect.Effect<boolean, SignerAway | SqlError>
  /** Counts signed submissions whose outcome is not certain, and submissions that wait to be signed. */
  readonly depth: Effect.Effect<{ readonly inFlight: number; readonly queued: number }>
}

/** The services that a lane works with. */
export type LaneServices =
  | SubmissionStore
  | Signer
  | SigningPolicy
  | SigningRecord
  | KeyLimitCheck
  | LaneQuarantineStore
  | LaneReconciliationStore
  | WalletAlerts

/** Maximum number of queued submissions that are priced, signed and stored together. */
const batchSize = 128

export const open = (
  { network, wallet, chain }: { readonly network: Network; readonly wallet: Address; readonly chain: ChainClient }
): Effect.Effect<NonceLane, never, LaneServices | Scope> =>
  Effect.gen(function*() {
    const signer = yield* Signer
    const alerts = yield* WalletAlerts
    const policy = yield* SigningPolicy
    const record = yield* SigningRecord
    const quarantines = yield* LaneQuarantines.make
    const rows = yield* LaneReconciliationStore
    const reconciler = LaneReconciler.make({ alerts, chain, network, policy, quarantines, record, rows, wallet })
    const store = TrustedRows.make({ alerts, chain, network, signer, store: yield* SubmissionStore, wallet })
    const scope = yield* Effect.scope
    const jobs = yield* KeyedJobs.make<Settled, ExecutionFailure>()
    const complete = (key: string, settled: Settled) => jobs.complete(key, Exit.succeed(settled))
    const tracker = yield* TransactionTracker.make({
      ...{ chain, network, wallet, store, signer, alerts, quarantines },
      record: AttemptRecord.make({ network, wallet, store, record, quarantines }),
      judge: reconciler.judge,
      takeRecordedAt: reconciler.takeRecordedAt,
      landed: complete,
      superseded: (key, nonce) => complete(key, Superseded.make({ nonce }))
    })
    const sendQueued = SubmissionSender.make({
      ...{ chain, network, wallet, store, signer, alerts, tracker, policy, record, reconciler },
      limits: yield* KeyLimitCheck,
      refused: (key, failure) => complete(key, Refused.make({ failure }))
    })

    const processQueue = jobs.takeBatch(batchSize).pipe(
      Effect.flatMap((keys) =>
        processBatch({ jobs, store, tracker, sendQueued, reconciler }, keys).pipe(
          Effect.flatMap((later) =>
            later.length === 0 ? Effect.void : Effect.forkIn(Effect.delay(jobs.enqueue(later), "1 second"), scope)
          ),
          Effect.tapCause((cause) => Effect.logWarning("a lane's batch failed and is retried", cause)),
          Effect.sandbox,
          retryForever
        )
      ),
      Effect.forever
    )

    const reconcile = Effect.flatMap(reconciler.reconcile, (changed) => changed ? tracker.recover : Effect.void)
    /** Reconciles the lane, unless it did so a short time ago and is quarantined since. */
    const reconcileAgain = Effect.flatMap(
      reconciler.isPaused,
      (isPaused) => isPaused ? Effect.void : reconcile
    )

    yield* tracker.recover
    yield* jobs.enqueue(yield* retryForever(store.listQueued(network, wallet)))
    yield* Effect.forkScoped(processQueue)

    return {
      reconcile,
      isExplained: Effect.flatMap(reconciler.isExplained, (explained) =>
        explained
          ? Effect.succeed(true)
          : Effect.as(
            Effect.catchTags(reconcileAgain, { RpcRefused: () => Effect.void, RpcUnavailable: () => Effect.void }),
            false
          )),
      recheck: tracker.recheck,
      depth: Effect.zipWith(
        tracker.inFlight,
        jobs.size,
        (inFlight, queued) => ({ inFlight, queued: Math.max(0, queued) })
      ),
      submit: jobs.run
    }
  })

/**
 * Processes a batch of submissions from row to broadcast; returns the keys of those to try again later. A failure
 * leaves the rows as they are; the retry reads them again.
 */
const processBatch = (
  { jobs, reconciler, sendQueued, store, tracker }: {
    readonly jobs: KeyedJobs.KeyedJobs<Settled, ExecutionFailure>
    readonly reconciler: LaneReconciler.LaneReconciler
    readonly store: SubmissionStore["Service"]
    readonly tracker: TransactionTracker.TransactionTracker
    readonly sendQueued: ReturnType<typeof SubmissionSender.make>
  },
  keys: ReadonlyArray<string>
) =>
  Effect.gen(function*() {
    const completeSettled = (rows: ReadonlyArray<Submission>) =>
      Effect.forEach(rows, (row) => {
        const settled = settledOf(row)
        return settled === undefined ? Effect.void : jobs.complete(row.key, Exit.succeed(settled))
      }, { discard: true })
    const submissions = yield* store.findAll(keys)
    const found = new Set(submissions.map(({ key }) => key))
    for (const key of keys.filter((each) => !found.has(each))) {
      yield* jobs.complete(key, Exit.fail(explain({ _tag: "SubmissionNotFound", key })))
    }
    yield* completeSettled(submissions)
    const signed = submissions.filter(({ status }) => status === "signed")
    if (signed.length > 0) {
      yield* tracker.recover
      // Another owner may have settled them while this one was recovering them.
      yield* completeSettled(yield* store.findAll(signed.map(({ key }) => key)))
    }
    const queued = submissions.filter(({ status }) => status === "queued")
    if (yield* reconciler.isPaused) return queued.map(({ key }) => key)
    const { later, live } = yield* sendQueued.refuseExpired(queued)
    // While a nonce is unexplained nothing new is signed: queued submissions are retried until it is explained.
    const again = (yield* tracker.onHold) ? live.map(({ key }) => key) : yield* sendQueued.send(live)
    return [...later, ...again]
  })
