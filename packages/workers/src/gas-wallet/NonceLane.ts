/**
 * The nonce sequence of one wallet on one network. The order never changes: bytes and nonce are committed, then
 * broadcast, then tracked until their outcome is certain. After a crash the lane resumes from the rows.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { Mined, Refused, type Settled, settledOf, Superseded } from "@vault-trader/core/gas-wallet/Submission"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Scope } from "effect/Scope"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as SubmissionSender from "./SubmissionSender.ts"
import * as TransactionTracker from "./TransactionTracker.ts"
import { KeyLimitCheck } from "./KeyLimitCheck.ts"
import { retryForever } from "../actor/Retry.ts"
import { Signer } from "./Signer.ts"
import { SigningPolicy } from "./SigningPolicy.ts"
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
  /** Counts signed submissions whose outcome is not certain, and submissions that wait to be signed. */
  readonly depth: Effect.Effect<{ readonly inFlight: number; readonly queued: number }>
}

/** Maximum number of queued submissions that are priced, signed and stored together. */
const batchSize = 128

export const open = (
  { network, wallet, chain }: { readonly network: Network; readonly wallet: Address; readonly chain: ChainClient }
): Effect.Effect<NonceLane, never, SubmissionStore | Signer | SigningPolicy | KeyLimitCheck | WalletAlerts | Scope> =>
  Effect.gen(function*() {
    const signer = yield* Signer
    const limits = yield* KeyLimitCheck
    const policy = yield* SigningPolicy
    const alerts = yield* WalletAlerts
    const store = TrustedRows.make({ alerts, chain, network, signer, store: yield* SubmissionStore, wallet })
    const scope = yield* Effect.scope
    const queue = yield* Queue.unbounded<string>()
    const waiters = new Map<string, Deferred.Deferred<Settled, ExecutionFailure>>()

    const end = (key: string, how: Effect.Effect<Settled, ExecutionFailure>) =>
      Effect.suspend(() => {
        const deferred = waiters.get(key)
        waiters.delete(key)
        return deferred === undefined ? Effect.void : Effect.asVoid(Deferred.complete(deferred, how))
      })
    const complete = (key: string, settled: Settled) => end(key, Effect.succeed(settled))

    /**
     * Queues a key once and returns its deferred. Synchronous: an interrupted caller must not leave a deferred that is
     * never completed.
     */
    const join = (key: string) => {
      const known = waiters.get(key)
      if (known !== undefined) return known
      const deferred = Deferred.makeUnsafe<Settled, ExecutionFailure>()
      waiters.set(key, deferred)
      Queue.offerUnsafe(queue, key)
      return deferred
    }

    const tracker = yield* TransactionTracker.make({
      chain,
      network,
      wallet,
      store,
      signer,
      alerts,
      landed: (key, receipt) => complete(key, Mined.make({ receipt })),
      superseded: (key, nonce) => complete(key, Superseded.make({ nonce }))
    })
    const sendQueued = SubmissionSender.make({
      chain,
      network,
      wallet,
      store,
      signer,
      limits,
      policy,
      alerts,
      tracker,
      refused: (key, failure) => complete(key, Refused.make({ failure }))
    })

    /**
     * Processes a batch of submissions from row to broadcast. A failure leaves the rows as they are; the retry reads
     * them again.
     */
    const processBatch = (keys: ReadonlyArray<string>) =>
      Effect.gen(function*() {
        const submissions = yield* store.findAll(keys)
        const found = new Set(submissions.map(({ key }) => key))
        for (const key of keys.filter((each) => !found.has(each))) {
          yield* end(key, new ExecutionFailure({ errorType: "internal", message: `There is no submission ${key}.` }))
        }
        for (const submission of submissions) {
          const settled = settledOf(submission)
          if (settled !== undefined) yield* complete(submission.key, settled)
        }
        const signed = submissions.filter(({ status }) => status === "signed")
        if (signed.length > 0) {
          yield* tracker.recover
          // Another owner may have settled them while this one was recovering them.
          for (const row of yield* store.findAll(signed.map(({ key }) => key))) {
            const settled = settledOf(row)
            if (settled !== undefined) yield* complete(row.key, settled)
          }
        }
        const queued = submissions.filter(({ status }) => status === "queued")
        // While a nonce is unexplained nothing new is signed: queued submissions are retried until it is explained.
        const deferredKeys = (yield* tracker.onHold) ? queued.map(({ key }) => key) : yield* sendQueued(queued)
        if (deferredKeys.length > 0) {
          yield* Effect.forkIn(Effect.delay(Queue.offerAll(queue, deferredKeys), "1 second"), scope)
        }
      })

    const processQueue = Queue.takeBetween(queue, 1, batchSize).pipe(
      Effect.flatMap((keys) =>
        // A key can be queued twice: read from the rows when the lane opened, or deferred, and submitted since.
        processBatch(Array.from(new Set(keys))).pipe(
          Effect.tapCause((cause) => Effect.logWarning("a lane's batch failed and is retried", cause)),
          Effect.sandbox,
          retryForever
        )
      ),
      Effect.forever
    )

    yield* tracker.recover
    yield* Queue.offerAll(queue, yield* retryForever(store.queued(network, wallet)))
    yield* Effect.forkScoped(processQueue)

    return {
      recheck: tracker.recheck,
      depth: Effect.zipWith(
        tracker.inFlight,
        Queue.size(queue),
        (inFlight, queued) => ({ inFlight, queued: Math.max(0, queued) })
      ),
      submit: (key) => Effect.suspend(() => Deferred.await(join(key)))
    }
  })
