/** The fields of a bot's form that identify its vault: gas wallet, network and address. */
import { SimpleGrid, TextInput } from "@mantine/core"
import type { GetInputPropsReturnType } from "@mantine/form"
import { GasWalletSelect } from "../gas-wallet/GasWalletSelect.tsx"
import { NetworkSelect } from "../shell/NetworkSelect.tsx"
import { useLinks } from "./useVaults.ts"
import { t } from "../text/Text.ts"

export function VaultFields({ isEdit, inputProps, values }: {
  readonly values: { readonly wallet: string; readonly network: string }
  /** True if an existing bot is edited, whose vault cannot change. */
  readonly isEdit: boolean
  readonly inputProps: (name: "wallet" | "network" | "pool") => GetInputPropsReturnType
}) {
  const links = useLinks().data ?? []
  const suggestions = links.filter(({ network, wallet }) => wallet === values.wallet && network === values.network)
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <GasWalletSelect disabled={isEdit} {...inputProps("wallet")} />
        <NetworkSelect disabled={isEdit} {...inputProps("network")} />
      </SimpleGrid>
      <TextInput
        label={t("Vault")}
        description={t("Address of the vault; the gas wallet must be its trader.")}
        disabled={isEdit}
        list="known-vaults"
        {...inputProps("pool")}
      />
      <datalist id="known-vaults">{suggestions.map(({ pool }) => <option key={pool} value={pool} />)}</datalist>
    </>
  )
}
