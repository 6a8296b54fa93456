/** Follows the intents of a vault's bots, orders and guardians to their outcomes, and records them, once per intent. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Outcome } from "@vault-trader/core/intent/Intent"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import { retryForever } from "../actor/Retry.ts"

/** Builds `follow` for one vault. `record` stores the outcome for the owner, which is a bot, an order or a guardian. */
export const make = <E, R>({ network, pool, record }: {
  readonly network: Network
  readonly pool: Address
  readonly record: (ownerId: string, intentId: string, outcome: Outcome) => Effect.Effect<void, E, R>
}) =>
  Effect.gen(function*() {
    const vaults = yield* Vault.client
    const scope = yield* Effect.scope
    const following = new Set<string>()

    /** Waits in the background for the outcome and records it. */
    const follow = (ownerId: string, intentId: string) =>
      Effect.suspend(() => {
        if (following.has(intentId)) return Effect.void
        following.add(intentId)
        return vaults(idOf(network, pool)).execute({ intentId }).pipe(
          Effect.timeout("30 seconds"),
          retryForever,
          Effect.flatMap((outcome) => retryForever(record(ownerId, intentId, outcome))),
          Effect.ensuring(Effect.sync(() => following.delete(intentId))),
          Effect.catchCause((cause) => Effect.logWarning("an automatic intent could not be followed", cause)),
          Effect.forkIn(scope),
          Effect.asVoid
        )
      })

    return { follow }
  })
