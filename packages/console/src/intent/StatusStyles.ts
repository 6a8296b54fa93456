/** Labels and colours of the activity's states. */
import type { Status } from "@vault-trader/core/intent/Activity"

export const statusStyles: Readonly<
  Record<Status, { readonly color: string; readonly label: string; readonly filled: boolean }>
> = {
  queued: { color: "gray", label: "queued", filled: true },
  sent: { color: "blue", label: "sent", filled: true },
  waiting: { color: "orange", label: "waiting for gas price", filled: false },
  mined: { color: "teal", label: "mined", filled: false },
  final: { color: "green", label: "done", filled: false },
  failed: { color: "red", label: "failed", filled: true }
}
