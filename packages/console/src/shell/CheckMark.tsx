/** The state of a requirement, as text and colour. */
import { Badge } from "@mantine/core"

export type State = "done" | "missing" | "asking" | "unknown"

const stateStyles: Readonly<Record<State, { readonly color: string; readonly words: string }>> = {
  done: { color: "green", words: "done" },
  missing: { color: "blue", words: "to do" },
  asking: { color: "gray", words: "checking…" },
  unknown: { color: "red", words: "cannot be read" }
}

export function StateBadge({ state }: { readonly state: State }) {
  const { color, words } = stateStyles[state]
  return <Badge color={color} variant={state === "done" ? "dot" : "filled"} style={{ flexShrink: 0 }}>{words}</Badge>
}
