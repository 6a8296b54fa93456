/** Sets the limits of a gas wallet's key, which the manager's own wallet signs. */
import { Text } from "@mantine/core"
import { ManagerApi } from "@vault-trader/core/manager/ManagerApi"
import { call } from "../connection/RpcConnection.ts"
import { signAction } from "../session/SignedAction.ts"
import { parametersOf } from "../shell/Parameters.ts"
import { type TermField, TermsForm } from "../shell/TermsForm.tsx"
import { useVaultName } from "../vault/Names.ts"
import { useLinks } from "../vault/useVaults.ts"
import type { WalletKeys } from "./SubKeys.ts"
import { t } from "../text/Text.ts"

const { faultOf } = parametersOf(ManagerApi, "setKeyLimits")

const fields: ReadonlyArray<TermField> = [
  { name: "max_usd_per_trade", label: t("Max per trade, USD"), description: t("off: no limit"), placeholder: "off" },
  {
    name: "max_usd_per_day",
    label: t("Max a day, USD"),
    description: t("Of UTC days; off: no limit"),
    placeholder: "off"
  },
  { name: "read_only", kind: "flag", label: t("Read only"), description: t("Refuses every change, also of bots") }
]

export function LimitsForm({ close, keys: { address: wallet, limits, name } }: {
  readonly keys: WalletKeys
  readonly close: () => void
}) {
  const vaultName = useVaultName()
  const links = (useLinks().data ?? []).filter((link) => link.wallet === wallet)
  const known = new Set([...links.map(({ network, pool }) => `${network}/${pool}`), ...(limits?.vaults ?? [])])
  const vaults: TermField = {
    name: "vaults",
    kind: "choices",
    label: t("Only these vaults"),
    description: t("None ticked: unchanged. Any vault lifts the limit."),
    options: [
      { value: "any", label: t("Any vault") },
      ...[...known].map((value) => {
        const [network = "", pool = ""] = value.split("/")
        return { value, label: vaultName(network, pool) }
      })
    ]
  }
  return (
    <TermsForm
      title={t("Limits of {name}", { name })}
      endpoint="setKeyLimits"
      about={{}}
      fields={[...fields, vaults]}
      faultOf={faultOf}
      initial={{
        max_usd_per_trade: limits?.max_usd_per_trade ?? "off",
        max_usd_per_day: limits?.max_usd_per_day ?? "off",
        read_only: String(limits?.read_only ?? false),
        vaults: limits?.vaults?.join(",") ?? "any"
      }}
      header={
        <Text size="sm" c="dimmed">
          {t(
            "Limits hold for the wallet’s key, its bots and its sub-keys, and stay when the key is rotated. " +
              "Limits that the operator or another manager has set can only be lowered here. Your own wallet " +
              "signs this."
          )}
        </Text>
      }
      send={async (params) => {
        const signature = await signAction({ action: "setKeyLimits", wallet, params })
        // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
        return call((client) => client.signed.setKeyLimits({ ...params, wallet, signature }))
      }}
      submit={t("Sign and set")}
      failed={t("The limits are unchanged")}
      close={close}
    />
  )
}
