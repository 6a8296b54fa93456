/** Whether a wallet may trade a vault by the chain now, for callers whose rows do not say. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { mayTrade } from "@vault-trader/core/vault/Authority"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import { read } from "../gate/ActorCall.ts"

/** How long the chain may take: a caller who wants something stopped learns soon that it is not. */
const patience = "1500 millis"

/** Fails with 1006 unless the wallet is the vault's trader or manager, with 2020 where no node answers soon. */
export const TraderNow = Effect.map(Vault.client, (vaults) => ({ network, pool }: { readonly network: Network; readonly pool: Address }, wallet: Address) =>
  Effect.flatMap(read(vaults(idOf(network, pool)).describe({ assets: [] }), patience), ({ facts }) => mayTrade(facts, wallet)))
