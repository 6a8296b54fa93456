/** Selects one of the manager's gas wallets; empty until one is chosen. */
import { NativeSelect, type NativeSelectProps } from "@mantine/core"
import { nameOf, useWallets } from "./GasWallets.ts"
import { t } from "../text/Text.ts"

export function GasWalletSelect(props: Omit<NativeSelectProps, "data" | "label">) {
  const wallets = useWallets().data ?? []
  const options = wallets.map((wallet) => ({ value: wallet.address, label: nameOf(wallet) }))
  return <NativeSelect label={t("Gas wallet")} data={[{ value: "", label: t("Choose…") }, ...options]} {...props} />
}
