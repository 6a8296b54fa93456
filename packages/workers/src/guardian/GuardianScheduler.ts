/** Wakes the guardians of a network whose reading is due. One singleton per network; the cluster moves it. */
import type { Network } from "@vault-trader/core/chain/Network"
import { type Guardian, Guardians } from "@vault-trader/core/guardian/Guardian"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import { withoutTracing } from "@vault-trader/core/telemetry/UntracedLoop"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Singleton from "effect/cluster/Singleton"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Chains } from "../chain/Chains.ts"

/** Default seconds between two readings of a guardian. */
export const defaultGuardianSeconds = 10

/** Seconds between two readings of a guardian in this process. */
export const GuardianInterval = Context.Reference<number>("vault-trader/workers/guardian/GuardianInterval", {
  defaultValue: () => defaultGuardianSeconds
})

/** Maximum number of guardians in memory at a time. */
const pageSize = 500
/** Guardians that read at the same time. */
const concurrency = 8

/** Wakes the guardians that are due, page by page. */
const round = (network: Network, wake: (guardian: Guardian) => Effect.Effect<void>) =>
  withoutTracing((traced) =>
    Effect.gen(function*() {
      const store = yield* GuardianStore
      let after: string | null = null
      for (;;) {
        const rows: ReadonlyArray<Guardian> = yield* store.due(network, { after, size: pageSize })
        if (rows.length > 0) {
          yield* Effect.forEach(rows, wake, { concurrency, discard: true }).pipe(
            Effect.withSpan("Guardians.round", { attributes: { network, due: rows.length } }),
            traced
          )
        }
        after = rows.at(-1)?.id ?? after
        if (rows.length < pageSize) return
      }
    })
  )

const runRounds = (network: Network, seconds: number) =>
  Effect.gen(function*() {
    const guardians = yield* Guardians.client
    const wake = (guardian: Guardian) =>
      guardians(idOf(guardian.network, guardian.pool)).wake({ guardianId: guardian.id }).pipe(
        Effect.timeout("20 seconds"),
        Effect.catchCause((cause) => Effect.logDebug("a guardian was not woken", cause))
      )
    const checked = round(network, wake).pipe(
      Effect.catchCause((cause) => Effect.logWarning("a round of the guardians' watch failed", cause))
    )
    // Its own pauses are shorter than a reading's interval: what follows an action is soon due.
    return yield* Effect.forever(Effect.andThen(checked, Effect.sleep(`${Math.max(1, seconds / 5)} seconds`)))
  })

/** Watches every network that this runner serves. */
export const WatchLive = (seconds: number) =>
  Layer.unwrap(Effect.map(Chains, ({ networks }) =>
    Layer.mergeAll(
      Layer.empty,
      ...networks.map((network) => Singleton.make(`Guardians/${network}`, runRounds(network, seconds)))
    )))
