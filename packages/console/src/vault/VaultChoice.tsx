/** Selects the vault that something is set for, among those that a gas wallet of the list may trade. */
import { NativeSelect } from "@mantine/core"
import { useState } from "react"
import { networkName } from "../shell/Icons.tsx"
import { useVaultName } from "./Names.ts"
import { useLinks } from "./useVaults.ts"
import { type VaultRef, vaultRefOf } from "./VaultRef.ts"
import { t } from "../text/Text.ts"

const keyOf = ({ network, pool, wallet }: VaultRef) => `${network}/${pool}/${wallet}`

/** Returns the chosen vault and the field that chooses it; `given` cannot be changed. */
export const useVaultChoice = (given: VaultRef | undefined) => {
  const vaultName = useVaultName()
  const vaults = (useLinks().data ?? []).filter(({ is_trader }) => is_trader !== false).map((link) => ({
    vault: vaultRefOf({ ...link, gasWallet: link.wallet }),
    label: t("{vault} on {network}", { vault: vaultName(link.network, link.pool), network: networkName(link.network) })
  }))
  const [key, setKey] = useState("")
  const vault = given ?? vaults.find((each) => keyOf(each.vault) === key)?.vault
  return {
    vault,
    field: (
      <NativeSelect
        label={t("Vault")}
        disabled={given !== undefined}
        value={given === undefined ? key : keyOf(given)}
        data={given === undefined
          ? [
            { value: "", label: t("Choose…") },
            ...vaults.map((each) => ({ value: keyOf(each.vault), label: each.label }))
          ]
          : [{
            value: keyOf(given),
            label: t("{vault} on {network}", {
              vault: vaultName(given.network, given.pool),
              network: networkName(given.network)
            })
          }]}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
    )
  }
}
