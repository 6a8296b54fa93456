/** A state in a word: filled where a person has to look, otherwise with a dot of its colour. */
import { Badge } from "@mantine/core"

export function StatusBadge({ color, label }: { readonly color: string; readonly label: string }) {
  // A grey dot would not be seen in the dark scheme.
  const variant = color === "red" ? "filled" : color === "gray" ? "default" : "dot"
  return <Badge color={color} variant={variant}>{label}</Badge>
}
