/** Follows the slices of orders to their outcomes and records them for the orders. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { OrderSliceStore } from "@vault-trader/core/intent/OrderSliceStore"
import { sliceEndOf } from "@vault-trader/core/intent/SliceOutcome"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import { retryForever } from "../actor/Retry.ts"

/** Builds `follow` for the orders of one vault. */
export const make = ({ network, pool }: { readonly network: Network; readonly pool: Address }) =>
  Effect.gen(function*() {
    const store = yield* OrderSliceStore
    const vaults = yield* Vault.client
    const scope = yield* Effect.scope
    const following = new Set<string>()

    /** Waits in the background for the slice's outcome and records it, once per slice. */
    const follow = (orderId: string, intentId: string) =>
      Effect.suspend(() => {
        if (following.has(intentId)) return Effect.void
        following.add(intentId)
        return vaults(idOf(network, pool)).execute({ intentId }).pipe(
          Effect.timeout("30 seconds"),
          retryForever,
          Effect.flatMap((outcome) => retryForever(store.endSlice(orderId, intentId, sliceEndOf(outcome)))),
          Effect.ensuring(Effect.sync(() => following.delete(intentId))),
          Effect.catchCause((cause) => Effect.logWarning("a slice of an order could not be followed", cause)),
          Effect.forkIn(scope),
          Effect.asVoid
        )
      })

    return { follow }
  })
