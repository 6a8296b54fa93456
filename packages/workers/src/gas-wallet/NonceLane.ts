/**
 * The nonce sequence of one wallet on one network. Order of things, never changed: bytes and nonce are committed, then broadcast,
 * then looked for until their fate is certain. After a crash the rows say where to go on.
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
  /** Carries a stored submission to its end, or waits for it. Interrupting the wait does not stop the work. */
  readonly submit: (key: string) => Effect.Effect<Settled, ExecutionFailure>
  /** Checks whether a deep reorg has removed what counts as mined or final; the chain counts fewer transactions than the rows. */
  readonly recheck: Effect.Effect<void>
  /** Signed submissions whose fate is open, and those that wait to be signed. */
  readonly depth: Effect.Effect<{ readonly inFlight: number; readonly queued: number }>
}

/** How many queued submissions are priced, signed and stored together. */
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
    const waiting = new Map<string, Deferred.Deferred<Settled, ExecutionFailure>>()

    const end = (key: string, how: Effect.Effect<Settled, ExecutionFailure>) =>
      Effect.suspend(() => {
        const deferred = waiting.get(key)
        waiting.delete(key)
        return deferred === undefined ? Effect.void : Effect.asVoid(Deferred.complete(deferred, how))
      })
    const complete = (key: string, settled: Settled) => end(key, Effect.succeed(settled))

    /** In one step: a caller that is interrupted in the middle must not leave a place in the waiting room that nobody calls up. */
    const join = (key: string) => {
      const known = waiting.get(key)
      if (known !== undefined) return known
      const deferred = Deferred.makeUnsafe<Settled, ExecutionFailure>()
      waiting.set(key, deferred)
      Queue.offerUnsafe(queue, key)
      return deferred
    }

    const deck = yield* TransactionTracker.make({
      chain,
      network,
      wallet,
      store,
      signer,
      alerts,
      landed: (key, receipt) => complete(key, Mined.make({ receipt })),
      superseded: (key, nonce) => complete(key, Superseded.make({ nonce }))
    })
    const depart = SubmissionSender.make({
      chain,
      network,
      wallet,
      store,
      signer,
      limits,
      policy,
      alerts,
      deck,
      refused: (key, failure) => complete(key, Refused.make({ failure }))
    })

    /** One turn: whatever waits, from row to broadcast. Any failure leaves the rows as they are; the next turn reads them again. */
    const turn = (keys: ReadonlyArray<string>) =>
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
          yield* deck.recover
          // Another owner may have brought them to their end while we took them up.
          for (const row of yield* store.findAll(signed.map(({ key }) => key))) {
            const settled = settledOf(row)
            if (settled !== undefined) yield* complete(row.key, settled)
          }
        }
        const queued = submissions.filter(({ status }) => status === "queued")
        // While a nonce is unexplained nothing new is signed: what waits is tried again until it is.
        const later = (yield* deck.onHold) ? queued.map(({ key }) => key) : yield* depart(queued)
        if (later.length > 0) yield* Effect.forkIn(Effect.delay(Queue.offerAll(queue, later), "1 second"), scope)
      })

    const drain = Queue.takeBetween(queue, 1, batchSize).pipe(
      Effect.flatMap((keys) =>
        // A key can wait twice: found in the rows when the lane opened, or put off, and asked for since.
        turn(Array.from(new Set(keys))).pipe(
          Effect.tapCause((cause) => Effect.logWarning("a lane's turn failed and is repeated", cause)),
          Effect.sandbox,
          retryForever
        )
      ),
      Effect.forever
    )

    yield* deck.recover
    yield* Queue.offerAll(queue, yield* retryForever(store.queued(network, wallet)))
    yield* Effect.forkScoped(drain)

    return {
      recheck: deck.recheck,
      depth: Effect.zipWith(deck.inFlight, Queue.size(queue), (inFlight, queued) => ({ inFlight, queued: Math.max(0, queued) })),
      submit: (key) => Effect.suspend(() => Deferred.await(join(key)))
    }
  })
