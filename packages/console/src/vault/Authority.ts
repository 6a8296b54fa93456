/** The vault's trader and manager on chain. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { useLive } from "../connection/useLive.ts"

export const useAuthority = (
  vault: { readonly wallet: Address; readonly network: Network; readonly pool: Address } | undefined
) =>
  useLive(
    ["authority", vault?.wallet, vault?.network, vault?.pool],
    vault && ((client) =>
      client.live["wallet.isPoolTrader"]({
        wallet: vault.wallet,
        network: vault.network,
        pool: vault.pool,
        trader: vault.wallet
      })),
    ({ data }) => data
  )
