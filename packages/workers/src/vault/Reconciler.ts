/** Wakes the owner of any intent left alone, and every lane with something in flight: what is lost on the way delays, it strands nothing. */
import { GasWallet, idOf as walletIdOf } from "@vault-trader/core/gas-wallet/GasWallet"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { queueOf } from "@vault-trader/core/intent/IntentQueue"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { executor } from "@vault-trader/core/vault/WalletQueue"
import * as Singleton from "effect/cluster/Singleton"
import * as Effect from "effect/Effect"

/** Seconds without a change after which the actor of an intent's queue is woken. It then reads all unfinished intents of its queue. */
const patience = 10

export const ReconcilerLive = Singleton.make(
  "Reconciler",
  Effect.gen(function*() {
    const intents = yield* IntentStore
    const submissions = yield* SubmissionStore
    const execute = yield* executor
    const wallets = yield* GasWallet.client
    const round = (seconds: number) => Effect.gen(function*() {
      const alone = yield* intents.findStale(seconds)
      yield* Effect.forEach(yield* submissions.openLanes, ({ network, wallet }) =>
        wallets(walletIdOf(network, wallet)).watch().pipe(Effect.timeout("2 seconds"), Effect.ignore), { concurrency: 16, discard: true })
      yield* Effect.forEach(alone, (intent) =>
        execute(queueOf(intent), intent.id).pipe(
          Effect.timeout("2 seconds"),
          // Its outcome is in the ledger, or will be; here it only had to be woken.
          Effect.ignore
        ), { concurrency: 16, discard: true })
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("a round of the reconciler failed", cause)))
    // What was under way when the last runner died is taken up at once.
    yield* round(0)
    return yield* round(patience).pipe(Effect.delay("5 seconds"), Effect.forever)
  })
)
