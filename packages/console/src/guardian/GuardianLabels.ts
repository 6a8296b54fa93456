/** The names of the kinds of guardians. */
import type { GuardianKind } from "@vault-trader/core/guardian/Guardian"
import { t } from "../text/Text.ts"

export const guardianLabels = {
  health_factor: t("Health factor"),
  loss_breaker: t("Loss breaker"),
  oracle: t("Oracle and peg"),
  gas: t("Gas")
} as const satisfies Readonly<Record<GuardianKind, string>>

/** Names a guardian by its kind; one of a newer service by the word of the service. */
export const guardianLabel = (kind: string): string =>
  (guardianLabels as Readonly<Record<string, string>>)[kind] ?? kind
