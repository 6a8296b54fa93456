/** The state of a guardian. */
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { type Guardian, stateOf } from "./Guardians.ts"

export function GuardianBadge({ guardian }: { readonly guardian: Guardian }) {
  const { color, label } = stateOf(guardian)
  return <StatusBadge color={color} label={label} />
}
