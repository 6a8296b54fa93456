/** A vault and the wallet that trades it. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"

export const vaultRefOf = (
  { gasWallet, network, pool }: { readonly gasWallet: string; readonly network: string; readonly pool: string }
) => ({ wallet: gasWallet as Address, network: network as Network, pool: pool as Address })
export type VaultRef = ReturnType<typeof vaultRefOf>

/** Returns the key of a vault, as that of its tags. */
export const vaultKeyOf = ({ network, pool }: { readonly network: string; readonly pool: string }): string =>
  `${network}/${pool.toLowerCase()}`
