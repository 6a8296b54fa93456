/** Selects one of the service's networks; empty until one is chosen. */
import { NativeSelect, type NativeSelectProps } from "@mantine/core"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { t } from "../text/Text.ts"

export function NetworkSelect(props: Omit<NativeSelectProps, "data" | "label">) {
  const networks = useWhoAmI().data?.networks ?? []
  return <NativeSelect label={t("Network")} data={[{ value: "", label: t("Choose…") }, ...networks]} {...props} />
}
