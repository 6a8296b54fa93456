/** The requirements for a bot to trade, each with a button that fulfils it. */
import { Button, Group, Paper, Stack, Text } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { CheckMark } from "../shell/CheckMark.tsx"
import { Approve } from "../trading/Approve.tsx"
import type { Check, Readiness } from "./Readiness.ts"
import type { ReactNode } from "react"
import { t } from "../text/Text.ts"

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

export function Checks({ readiness: { vault, approvals, gas, platform, trader } }: { readonly readiness: Readiness }) {
  const [dialog, setDialog] = useState<{ readonly asset: string } | "trader">()
  if (vault === undefined) return null
  const close = () => setDialog(undefined)
  return (
    <Paper withBorder p="sm" component="section" aria-label={t("Before it can trade")}>
      <Text size="sm" fw={600} mb="xs">{t("Before it can trade")}</Text>
      <Stack gap="xs" component="ul" role="list" p={0} m={0} style={{ listStyle: "none" }}>
        <Row name={t("The gas wallet has gas")} check={gas}>
          <RefillButton wallet={vault.wallet} network={vault.network} />
        </Row>
        <Row name={t("The gas wallet is the trader")} check={trader}>
          <Button size="compact-sm" variant="default" onClick={() => setDialog("trader")}>{t("Set the trader")}</Button>
        </Row>
        {approvals.map((approval) => (
          <Row key={approval.asset} name={t("{asset} is approved", { asset: approval.asset })} check={approval}>
            {approval.state === "missing" && trader.state === "done" && (
              <Button
                size="compact-sm"
                onClick={() => setDialog({ asset: approval.asset })}
              >
                {t("Approve {asset} now", { asset: approval.asset })}
              </Button>
            )}
          </Row>
        ))}
      </Stack>
      {dialog === "trader" && (
        <Suspense fallback={null}>
          <TraderDialog vault={vault} close={close} />
        </Suspense>
      )}
      {typeof dialog === "object" && <Approve vault={vault} asset={dialog.asset} platform={platform} close={close} />}
    </Paper>
  )
}
