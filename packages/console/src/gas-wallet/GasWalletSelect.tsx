/** Selects one of the manager's gas wallets; empty until one is chosen. */
import { NativeSelect, type NativeSelectProps } from "@mantine/core"
import { nameOf, useWallets } from "./GasWallets.ts"

export function GasWalletSelect(props: Omit<NativeSelectProps, "data" | "label">) {
  const wallets = useWallets().data ?? []
  const options = wallets.map((wallet) => ({ value: wallet.address, label: nameOf(wallet) }))
  return <NativeSelect label="Gas wallet" data={[{ value: "", label: "Choose…" }, ...options]} {...props} />
}
