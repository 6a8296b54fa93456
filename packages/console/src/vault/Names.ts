/** Names of vaults, for every place that shows one. */
import { useCallback, useMemo } from "react"
import { shortHex } from "../shell/Format.ts"
import { networkName } from "../shell/Icons.tsx"
import type { Crumb } from "../shell/Page.tsx"
import { useManaged } from "./useVaults.ts"
import { t } from "../text/Text.ts"

/**
 * Returns a function from a vault to its name. A vault that another manager manages has none here and is called by its
 * network and address.
 */
export const useVaultName = () => {
  const managed = useManaged().data
  const names = useMemo(
    () =>
      new Map<string, string>(
        managed?.flatMap(({ network, vaults }) =>
          (vaults ?? []).map(({ name, pool }) => [`${network}/${pool}`, name] as const)
        )
      ),
    [managed]
  )
  return useCallback(
    (network: string, pool: string): string =>
      names.get(`${network}/${pool}`) ??
        t("{network} vault {pool}", { network: networkName(network), pool: shortHex(pool) }),
    [names]
  )
}

/** Returns the way to a page about a vault: the vaults, and the vault. */
export const vaultCrumbs = (
  { name, network, pool }: { readonly name: string; readonly network: string; readonly pool: string }
): ReadonlyArray<Crumb> => [
  { label: t("Managed Vaults"), to: "/vaults" },
  { label: name, to: "/vaults/$network/$pool", params: { network, pool } }
]
