/** The vault's trader and manager on chain. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { useLive } from "../connection/useLive.ts"

export const useAuthority = (
  about: { readonly wallet: Address; readonly network: Network; readonly pool: Address } | undefined
) =>
  useLive(
    ["authority", about?.wallet, about?.network, about?.pool],
    about && ((client) =>
      client.live["wallet.isPoolTrader"]({
        wallet: about.wallet,
        network: about.network,
        pool: about.pool,
        trader: about.wallet
      })),
    ({ data }) => data
  )
