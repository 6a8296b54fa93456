/** Names of vaults, for every place that shows one. */
import { shortHex } from "../shell/Format.ts"
import { networkName } from "../shell/Icons.tsx"
import { useManaged } from "./useVaults.ts"

/**
 * Returns a function from a vault to its name. A vault that another manager manages has none here and is called by its
 * network and address.
 */
export const useVaultName = () => {
  const managed = useManaged().data
  return (network: string, pool: string): string =>
    managed?.find((each) => each.network === network)?.vaults?.find((vault) => vault.pool === pool)?.name ??
      `${networkName(network)} vault ${shortHex(pool)}`
}
