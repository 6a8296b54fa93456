/** Which wallets may read the strategy of a vault: the vault's trader and manager, and the wallets in its manager's list. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import type { Sharding } from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { read, query } from "../gate/ActorCall.ts"

/** How long the vault's facts may take: the answer does not wait for a node that hangs. */
const factsTimeout = "1 second"

/** `known` is false when the vault's trader and manager could not be read in time. */
export interface Standing {
  readonly reads: boolean
  readonly known: boolean
}

export type StrategyReaders = (place: { readonly network: Network; readonly pool: Address }, wallet: Address) => Effect.Effect<Standing>

/** Decides it from the vault's facts. A wallet that set a bot itself is the caller's business: its rows say so without a node. */
export const make: Effect.Effect<StrategyReaders, never, ManagerStore | Sharding> = Effect.gen(function*() {
  const managers = yield* ManagerStore
  const vaults = yield* Vault.client
  return ({ network, pool }, wallet) =>
    Effect.gen(function*() {
      const described = yield* Effect.option(read(vaults(idOf(network, pool)).describe({ assets: [] }), factsTimeout))
      if (Option.isNone(described)) return { reads: false, known: false }
      const { manager, trader } = described.value.facts
      if (wallet === trader || wallet === manager) return { reads: true, known: true }
      return { reads: yield* query(managers.hasOn(manager, network, wallet)), known: true }
    })
})
