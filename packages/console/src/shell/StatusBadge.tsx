/** A state in a word: filled where a person has to look, otherwise with a dot of its colour; grey has no dot. */
export function StatusBadge({ color, label }: { readonly color: string; readonly label: string }) {
  return <span className="state" data-color={color === "gray" ? undefined : color}>{label}</span>
}
