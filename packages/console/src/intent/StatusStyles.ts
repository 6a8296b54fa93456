/** Labels and colours of the activity's states. */
import type { Status } from "@vault-trader/core/intent/Activity"
import { t } from "../text/Text.ts"

export const statusStyles: Readonly<
  Record<Status, { readonly color: string; readonly label: string; readonly filled: boolean }>
> = {
  queued: { color: "gray", label: t("queued"), filled: true },
  sent: { color: "blue", label: t("sent"), filled: true },
  waiting: { color: "orange", label: t("waiting for gas price"), filled: false },
  mined: { color: "teal", label: t("mined"), filled: false },
  final: { color: "green", label: t("done"), filled: false },
  failed: { color: "red", label: t("failed"), filled: true }
}
