/**
 * The health factor before and after an action: as figures with their state, and as two points on a scale of how far
 * the collateral may fall.
 */
import { Group, Stack, Text, VisuallyHidden } from "@mantine/core"
import { IconArrowRight } from "@tabler/icons-react"
import { noDebt } from "@vault-trader/core/lending/NoDebt"
import { closeBelow, healthOf, healthText, marginOf, thinBelow } from "../vault/HealthFactor.tsx"
import { percent } from "../shell/Format.ts"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import type { LendingAccount } from "../vault/useLendingAccount.ts"
import { lends } from "./LendingChoices.ts"
import type { Moves } from "./LendingPlan.ts"
import { t } from "../text/Text.ts"

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  const { color, label: state } = healthOf(value)
  return (
    <div>
      <Text size="xs" c="dimmed">{label}</Text>
      <Group gap={6} wrap="nowrap">
        <Text span fz={20} fw={650} className="figure">{healthText(value)}</Text>
        <StatusBadge color={color} label={state} />
      </Group>
    </div>
  )
}

/** Keeps a point within the picture. */
const placeOf = (healthFactor: string): string => `${Math.min(98.5, Math.max(1.5, marginOf(healthFactor)))}%`

function HealthChange({ after, before }: { readonly before: string; readonly after: string }) {
  return (
    <Stack gap={6} role="group" aria-label={t("Health factor")}>
      <Group gap="md" align="flex-end">
        <Figure label={t("Health factor now")} value={before} />
        <IconArrowRight size={20} aria-hidden="true" style={{ marginBottom: 6 }} />
        <Figure label={t("Afterwards")} value={after} />
      </Group>
      <div className="health" aria-hidden="true">
        <span data-zone="red" style={{ width: `${marginOf(String(closeBelow))}%` }} />
        <span
          data-zone="orange"
          style={{ width: `${marginOf(String(thinBelow)) - marginOf(String(closeBelow))}%` }}
        />
        <span data-zone="green" style={{ flex: 1 }} />
        <i data-point="before" style={{ insetInlineStart: placeOf(before) }} />
        <i data-point="after" style={{ insetInlineStart: placeOf(after) }} />
      </div>
      <Text size="xs" c="dimmed">
        {before === noDebt && after === noDebt
          ? t("Without debt nothing can be liquidated.")
          : t("The collateral may fall by {before} before liquidation now, and by {after} afterwards.", {
            before: percent(marginOf(before)),
            after: percent(marginOf(after))
          })} <VisuallyHidden>{t("On the scale, the ring is now and the dot is afterwards.")}</VisuallyHidden>
      </Text>
    </Stack>
  )
}

/** Shows the health factor that a plan projects beside the present one, or says why there is none. */
export function HealthAfter({ account, plan }: {
  readonly account: LendingAccount | undefined
  readonly plan: Moves
}) {
  const after = plan.projected_health_factor
  return after === null
    ? (
      <Text size="sm" c="dimmed">
        {lends(plan.lender)
          ? t("The health factor afterwards is unknown: a price is missing.")
          : t("The health factor does not change: only what is at lenderA counts.")}
      </Text>
    )
    : account === undefined
    ? <Figure label={t("Health factor afterwards")} value={after} />
    : <HealthChange before={account.healthFactor} after={after} />
}
