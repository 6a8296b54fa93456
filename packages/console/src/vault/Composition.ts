/** The holdings of a vault. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { useLive } from "../connection/useLive.ts"

export const useComposition = (
  vault: { readonly wallet: Address; readonly network: Network; readonly pool: Address } | undefined
) =>
  useLive(
    ["composition", vault?.wallet, vault?.network, vault?.pool],
    vault && ((client) =>
      client.live["wallet.poolComposition"]({ wallet: vault.wallet, network: vault.network, pool: vault.pool }))
  )
