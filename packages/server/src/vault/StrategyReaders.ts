/** Decides which wallets may read a vault's strategy: its trader, its manager and the wallets in the manager's list. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import type { Sharding } from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { read, query } from "../gate/ActorCall.ts"

/** How long reading the vault's facts may take: one of several endpoints may hang, which two seconds show. */
const factsTimeout = "3 seconds"

/** `known` is false when the vault's trader and manager could not be read in time. */
export interface ReaderCheck {
  readonly reads: boolean
  readonly known: boolean
}

type StrategyReaders = (
  place: { readonly network: Network; readonly pool: Address },
  wallet: Address
) => Effect.Effect<ReaderCheck>

/** Decides from the vault's facts. Callers check for the wallet that set a bot themselves, from the database. */
export const make: Effect.Effect<StrategyReaders, never, ManagerStore | Sharding> = Effect.gen(function*() {
  const managers = yield* ManagerStore
  const vaults = yield* Vault.client
  return ({ network, pool }, wallet) =>
    Effect.gen(function*() {
      const described = yield* Effect.option(
        read(vaults(idOf(network, pool)).describe({ assets: [], confirmed: true }), factsTimeout)
      )
      if (Option.isNone(described)) return { reads: false, known: false }
      const { manager, trader } = described.value.facts
      if (wallet === trader || wallet === manager) return { reads: true, known: true }
      return { reads: yield* query(managers.hasOn(manager, network, wallet)), known: true }
    })
})
