/** The holdings of a vault. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { useLive } from "../connection/useLive.ts"

export const useComposition = (
  about: { readonly wallet: Address; readonly network: Network; readonly pool: Address } | undefined
) =>
  useLive(
    ["composition", about?.wallet, about?.network, about?.pool],
    about && ((client) =>
      client.live["wallet.poolComposition"]({ wallet: about.wallet, network: about.network, pool: about.pool }))
  )
