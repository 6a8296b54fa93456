/** Makes a sub-key of a gas wallet, which the manager's own wallet signs. The key is shown once. */
import { Stack, Text } from "@mantine/core"
import type { Address } from "@vault-trader/core/chain/Address"
import { defaultDays, maxDays, subKeyScopes } from "@vault-trader/core/gas-wallet/SubKey"
import { SubKeyApi } from "@vault-trader/core/gas-wallet/SubKeyApi"
import { useState } from "react"
import { call } from "../connection/RpcConnection.ts"
import { GasWalletSelect } from "../gas-wallet/GasWalletSelect.tsx"
import { WalletSecrets } from "../gas-wallet/WalletSecrets.tsx"
import { signAction } from "../session/SignedAction.ts"
import { parametersOf } from "../shell/Parameters.ts"
import { type TermField, TermsForm } from "../shell/TermsForm.tsx"
import { useVaultName } from "../vault/Names.ts"
import { useLinks } from "../vault/useVaults.ts"
import { scopeLabels } from "./SubKeys.ts"
import { t } from "../text/Text.ts"

const { faultOf } = parametersOf(SubKeyApi, "createSubKey")

const fields: ReadonlyArray<TermField> = [
  { name: "label", label: t("Label"), description: t("Only you see it"), placeholder: "agent" },
  {
    name: "days",
    label: t("Ends after, days"),
    description: t("At most {maxDays}", { maxDays }),
    placeholder: String(defaultDays)
  },
  {
    name: "max_usd_per_day",
    label: t("Max a day, USD"),
    description: t("Required where it may sell; counted by UTC days"),
    placeholder: "1000"
  },
  {
    name: "max_usd_per_trade",
    label: t("Max per trade, USD"),
    description: t("Empty: as much as the day allows"),
    placeholder: "250"
  },
  {
    name: "sources",
    label: t("Only from addresses"),
    description: t("IP addresses or blocks, with commas"),
    placeholder: "192.0.2.0/24",
    isList: true
  },
  {
    name: "endpoints",
    label: t("Only these endpoints"),
    description: t("Empty: all reads, and the changes ticked below"),
    placeholder: "vaultTrade, getIntent",
    isList: true
  },
  {
    name: "scopes",
    kind: "choices",
    label: t("It may"),
    description: t("None ticked: it only reads. It never changes keys, bots or orders."),
    options: subKeyScopes.map((value) => ({ value, label: scopeLabels[value] }))
  }
]

interface Sent {
  readonly apiKey: string
  readonly address: string
  readonly message: string
}

export function SubKeyForm({ close, wallet: given }: {
  readonly wallet?: Address | undefined
  readonly close: () => void
}) {
  const [chosen, setChosen] = useState<string>(given ?? "")
  const [made, setMade] = useState<Sent>()
  const links = useLinks().data ?? []
  const vaultName = useVaultName()
  const wallet = chosen as Address
  const vaults: TermField = {
    name: "vaults",
    kind: "choices",
    label: t("Vaults"),
    description: t("None ticked: all vaults that the wallet may trade"),
    options: links.filter((link) => link.wallet === wallet).map(({ network, pool }) => ({
      value: `${network}/${pool}`,
      label: vaultName(network, pool)
    }))
  }
  if (made !== undefined) {
    return (
      <WalletSecrets
        title={t("Your new sub-key")}
        address={made.address}
        close={close}
        secrets={[{ name: t("Sub-key"), value: made.apiKey }]}
      />
    )
  }
  return (
    <TermsForm<Sent>
      title={t("Create a sub-key")}
      endpoint="createSubKey"
      about={{}}
      fields={vaults.options?.length === 0 ? fields : [...fields, vaults]}
      faultOf={faultOf}
      initial={{}}
      missing={chosen === "" ? t("Choose a gas wallet") : undefined}
      header={
        <Stack gap="xs">
          <GasWalletSelect
            value={chosen}
            disabled={given !== undefined}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          <Text size="sm" c="dimmed">
            {t(
              "A sub-key is for an agent or a script: it acts for the gas wallet within bounds of its own, and " +
                "ends by itself. Your own wallet signs this; it sends no transaction."
            )}
          </Text>
        </Stack>
      }
      send={async (params) => {
        const signature = await signAction({ action: "createSubKey", wallet, params })
        // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
        return call((client) => client.signed.createSubKey({ ...params, wallet, signature }))
      }}
      sent={(result) => {
        setMade(result)
        return true
      }}
      submit={t("Sign and create")}
      failed={t("No sub-key was created")}
      close={close}
    />
  )
}
