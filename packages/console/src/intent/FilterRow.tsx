/** The filters of the activity. */
import { NativeSelect, SimpleGrid, TextInput } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { useEffect, useState } from "react"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import type { Filters } from "./Filters.ts"
import { actions } from "./ActionLabels.ts"
import { t } from "../text/Text.ts"

type Choice = { readonly value: string; readonly label: string }

export function FilterRow(
  { change, filters }: { readonly filters: Filters; readonly change: (changed: Filters) => void }
) {
  const wallets = useWallets().data ?? []
  const networks = useWhoAmI().data?.networks ?? []
  const [text, setText] = useState(filters.text ?? "")
  // The URL can change elsewhere, for instance by the browser's back button.
  useEffect(() => {
    if ((filters.text ?? "") !== text.trim()) setText(filters.text ?? "")
  }, [filters.text])
  const search = useDebouncedCallback((value: string) => change({ ...filters, text: value.trim() }), 300)
  const select = (
    name: "wallet" | "network" | "status" | "action",
    label: string,
    all: string,
    choices: ReadonlyArray<Choice>
  ) => (
    <NativeSelect
      size="sm"
      label={label}
      value={filters[name] ?? ""}
      onChange={(event) => change({ ...filters, [name]: event.currentTarget.value })}
      data={[{ value: "", label: all }, ...choices]}
    />
  )
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} spacing="xs" role="search" aria-label={t("Filter the activity")}>
      {select(
        "wallet",
        t("Gas wallet"),
        t("All"),
        wallets.map((wallet) => ({ value: wallet.address, label: nameOf(wallet) }))
      )}
      {select("network", t("Network"), t("All"), networks.map((network) => ({ value: network, label: network })))}
      {select("status", t("Status"), t("All"), [{ value: "open", label: t("in progress") }, {
        value: "done",
        label: t("done")
      }, {
        value: "failed",
        label: t("failed")
      }])}
      {select("action", t("Action"), t("All"), actions)}
      <TextInput
        size="sm"
        label={t("Search")}
        placeholder={t("message, vault, transaction…")}
        type="search"
        maxLength={100}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          search(event.currentTarget.value)
        }}
      />
    </SimpleGrid>
  )
}
