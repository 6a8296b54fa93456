/** Checks on chain if a wallet may trade a vault, for wallets that the database does not know as its trader. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Vault, idOf, mayTrade } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import { read } from "../gate/ActorCall.ts"

/**
 * How long the chain may take: two reads of which each waits two seconds for an endpoint that hangs. Not longer, so that
 * a caller who wants to stop something soon learns of a failure.
 */
const chainTimeout = "5 seconds"

/** Fails with 1006 unless the wallet is the vault's trader or manager, and with 2020 if no node responds in time. */
export const TraderNow = Effect.map(
  Vault.client,
  (vaults) => ({ network, pool }: { readonly network: Network; readonly pool: Address }, wallet: Address) =>
    Effect.flatMap(
      read(vaults(idOf(network, pool)).describe({ assets: [], confirmed: true }), chainTimeout),
      ({ facts }) => mayTrade(facts, wallet)
    )
)
