/** The requirements for a bot to trade, each with a button that fulfils it. */
import { Button, Group, Paper, Stack, Text } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { CheckMark } from "../shell/CheckMark.tsx"
import type { Check, Readiness } from "./Readiness.ts"
import type { ReactNode } from "react"
import { t } from "../text/Text.ts"

const ApprovalsInAdvance = lazy(() =>
  import("../trading/ApprovalsInAdvance.tsx").then(({ ApprovalsInAdvance }) => ({ default: ApprovalsInAdvance }))
)
const TraderDialog = lazy(() => import("../vault/Trader.tsx").then(({ TraderDialog }) => ({ default: TraderDialog })))

function Row(
  { check, children, name }: { readonly name: string; readonly check: Check; readonly children?: ReactNode }
) {
  return (
    <Stack gap={4} component="li" role="listitem" align="flex-start">
      <Group justify="space-between" wrap="nowrap" align="flex-start" w="100%">
        <Stack gap={0}>
          <Text size="sm" fw={500}>{name}</Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>{check.text}</Text>
        </Stack>
        <CheckMark state={check.state} />
      </Group>
      {check.state !== "done" && children}
    </Stack>
  )
}

/** Says that trades approve what they sell, and offers approvals in advance. */
function Approvals({ assets, platform, readiness: { trader, vault } }: {
  readonly readiness: Readiness
  readonly assets: ReadonlyArray<string>
  readonly platform: string
}) {
  const [isOpen, setOpen] = useState(false)
  if (vault === undefined || trader.state !== "done") return null
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Text span size="sm">{t("Each trade approves exactly what it sells. Approve in advance…")}</Text>
      </summary>
      {isOpen && (
        <Suspense fallback={null}>
          <ApprovalsInAdvance vault={vault} assets={assets} platform={platform} />
        </Suspense>
      )}
    </details>
  )
}

export function Checks({ assets, platform, readiness }: {
  readonly readiness: Readiness
  readonly assets: ReadonlyArray<string>
  /** The requested venue; `auto` uses the network's order. */
  readonly platform: string
}) {
  const [isOpen, setOpen] = useState(false)
  const { gas, trader, vault } = readiness
  if (vault === undefined) return null
  return (
    <Paper withBorder p="sm" component="section" aria-label={t("Before it can trade")}>
      <Text size="sm" fw={600} mb="xs">{t("Before it can trade")}</Text>
      <Stack gap="xs" component="ul" role="list" p={0} m={0} style={{ listStyle: "none" }}>
        <Row name={t("The gas wallet has gas")} check={gas}>
          <RefillButton wallet={vault.wallet} network={vault.network} />
        </Row>
        <Row name={t("The gas wallet is the trader")} check={trader}>
          <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>{t("Set the trader")}</Button>
        </Row>
      </Stack>
      <Approvals readiness={readiness} assets={assets} platform={platform} />
      {isOpen && (
        <Suspense fallback={null}>
          <TraderDialog vault={vault} close={() => setOpen(false)} />
        </Suspense>
      )}
    </Paper>
  )
}
