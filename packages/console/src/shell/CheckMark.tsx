/** The state of a requirement, as text and colour. */
import { Badge } from "@mantine/core"
import { t } from "../text/Text.ts"

export type CheckState = "done" | "missing" | "checking" | "unknown"

const stateStyles: Readonly<Record<CheckState, { readonly color: string; readonly label: string }>> = {
  done: { color: "green", label: t("done") },
  missing: { color: "blue", label: t("to do") },
  checking: { color: "gray", label: t("checking…") },
  unknown: { color: "red", label: t("cannot be read") }
}

export function CheckMark({ state }: { readonly state: CheckState }) {
  const { color, label } = stateStyles[state]
  return <Badge color={color} variant={state === "done" ? "dot" : "filled"} style={{ flexShrink: 0 }}>{label}</Badge>
}
