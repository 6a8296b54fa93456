/** An entry of the activity: the request, amounts, costs, status, and the next step after a failure. */
import { Alert, Badge, Card, Group, Stack, Text } from "@mantine/core"
import type { ActivityEntry } from "@vault-trader/core/intent/Activity"
import type { ReactNode } from "react"
import { Address } from "../shell/Address.tsx"
import { Transaction } from "../shell/Transaction.tsx"
import { amount, money } from "../shell/Format.ts"
import { Time } from "../shell/Time.tsx"
import { actionLabelOf } from "./ActionLabels.ts"
import { amountsText } from "./ActivityRow.tsx"
import { statusStyles } from "./StatusStyles.ts"
import { t } from "../text/Text.ts"

function Fact({ children, name }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Stack gap={0} component="span" display="inline-flex">
      <Text span size="xs" c="dimmed">{name}</Text>
      <Text span size="sm">{children}</Text>
    </Stack>
  )
}

function Facts({ entry, owner }: { readonly entry: ActivityEntry; readonly owner: string }) {
  const { charge_usd, exchange, gas, in: incoming, network, out, tx_hash, venue } = entry
  return (
    <Group gap="lg" align="flex-start">
      {(out.length > 0 || incoming.length > 0) && (
        <Fact name={t("Out → in")}>{amountsText(out) || "–"} → {amountsText(incoming) || "–"}</Fact>
      )}
      <Fact name={t("Where")}>
        {exchange ?? network}
        {venue !== null && venue !== exchange?.split("/")[0] ? ` · ${venue}` : ""}
      </Fact>
      <Fact name={t("Gas wallet")}>{owner}</Fact>
      {gas !== null && <Fact name={t("Gas")}>{amount(gas.amount)} {gas.symbol}</Fact>}
      {charge_usd !== null && <Fact name={t("Charge")}>{money(charge_usd)}</Fact>}
      {tx_hash !== null && (
        <Fact name={t("Transaction")}>
          <Transaction network={network} hash={tx_hash} />
        </Fact>
      )}
      <Fact name={t("Intent")}>
        <Address address={entry.id} label={t("intent")} />
      </Fact>
    </Group>
  )
}

export function EntryCard({ entry, owner }: { readonly entry: ActivityEntry; readonly owner: string }) {
  const { action, bot, created_at, failure, message, status } = entry
  const { color, filled, label } = statusStyles[status]
  return (
    <Card withBorder padding="sm" component="article" aria-label={`${actionLabelOf(action)}, ${label}`}>
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Text fw={600}>{actionLabelOf(action)}{bot === null ? "" : ` · ${bot}`}</Text>
          <Badge color={color} variant={filled ? "filled" : "dot"} style={{ flexShrink: 0 }}>{label}</Badge>
        </Group>
        <Text size="sm" c="dimmed">
          <Time at={created_at} />
        </Text>
        {failure === null ?
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>{message}</Text> :
          <Alert color="red" p="xs" title={`${message} (${failure.code})`}>{failure.funds} {failure.next}</Alert>}
        <Facts entry={entry} owner={owner} />
      </Stack>
    </Card>
  )
}
