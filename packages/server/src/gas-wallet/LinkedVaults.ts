/**
 * Lists a wallet's linked vaults, and for each whether the wallet is its trader on chain now; null if the chain cannot
 * be read.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { VaultLinkStore } from "@vault-trader/core/gas-wallet/VaultLinkStore"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import { read, query } from "../gate/ActorCall.ts"

export const LinkedVaults = Effect.gen(function*() {
  const vaults = yield* Vault.client
  const links = yield* VaultLinkStore
  return (wallet: Address, network?: Network) =>
    Effect.flatMap(
      query(links.ofWallet(wallet, network)),
      (found) =>
        Effect.forEach(found, ({ network, pool, protocol, since }) =>
          read(vaults(idOf(network, pool)).describe({ assets: [] }), "5 seconds").pipe(
            Effect.map(({ facts }) =>
              facts.trader === wallet
            ),
            Effect.orElseSucceed(() => null),
            Effect.map((is_trader) => ({ network, pool, protocol, is_trader, linked_at: since.toISOString() }))
          ), { concurrency: 32 })
    )
})
