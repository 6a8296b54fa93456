/**
 * Wakes the owner of every stale intent and every lane in flight. A lost message only delays an intent; it never
 * strands it.
 */
import { GasWallet, idOf as walletIdOf } from "@vault-trader/core/gas-wallet/GasWallet"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { queueOf } from "@vault-trader/core/intent/IntentQueue"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { executor } from "@vault-trader/core/vault/WalletQueue"
import * as Singleton from "effect/cluster/Singleton"
import * as Effect from "effect/Effect"

/**
 * Seconds without a change after which the actor of an intent's queue is woken. It then reads all unfinished intents of
 * its queue.
 */
const staleSeconds = 10

export const ReconcilerLive = Singleton.make(
  "Reconciler",
  Effect.gen(function*() {
    const intents = yield* IntentStore
    const submissions = yield* SubmissionStore
    const execute = yield* executor
    const wallets = yield* GasWallet.client
    const round = (seconds: number) =>
      Effect.gen(function*() {
        const stale = yield* intents.findStale(seconds)
        yield* Effect.forEach(yield* submissions.openLanes, ({ network, wallet }) =>
          wallets(walletIdOf(network, wallet)).watch().pipe(Effect.timeout("2 seconds"), Effect.ignore), {
          concurrency: 16,
          discard: true
        })
        yield* Effect.forEach(stale, (intent) =>
          execute(queueOf(intent), intent.id).pipe(
            Effect.timeout("2 seconds"),
            // The outcome is written to the ledger; this call only wakes the actor.
            Effect.ignore
          ), { concurrency: 16, discard: true })
      }).pipe(Effect.catchCause((cause) =>
        Effect.logWarning("a round of the reconciler failed", cause)
      ))
    // Resumes at once the intents that were in progress when the last runner died.
    yield* round(0)
    return yield* round(staleSeconds).pipe(Effect.delay("5 seconds"), Effect.forever)
  })
)
