/** Whether something that has to be so is so: in words, never by colour alone. */
import { Badge } from "@mantine/core"

export type State = "done" | "missing" | "asking" | "unknown"

const looks: Readonly<Record<State, { readonly color: string; readonly words: string }>> = {
  done: { color: "green", words: "done" },
  missing: { color: "blue", words: "to do" },
  asking: { color: "gray", words: "looking…" },
  unknown: { color: "red", words: "cannot be read" }
}

export function StateBadge({ state }: { readonly state: State }) {
  const { color, words } = looks[state]
  return <Badge color={color} variant={state === "done" ? "dot" : "filled"} style={{ flexShrink: 0 }}>{words}</Badge>
}
