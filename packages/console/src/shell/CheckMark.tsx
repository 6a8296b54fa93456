/** The state of a requirement, as text and colour. */
import { Badge } from "@mantine/core"

export type CheckState = "done" | "missing" | "checking" | "unknown"

const stateStyles: Readonly<Record<CheckState, { readonly color: string; readonly label: string }>> = {
  done: { color: "green", label: "done" },
  missing: { color: "blue", label: "to do" },
  checking: { color: "gray", label: "checking…" },
  unknown: { color: "red", label: "cannot be read" }
}

export function CheckMark({ state }: { readonly state: CheckState }) {
  const { color, label } = stateStyles[state]
  return <Badge color={color} variant={state === "done" ? "dot" : "filled"} style={{ flexShrink: 0 }}>{label}</Badge>
}
