/** An entry of the activity in one line: what, the amounts, when and how it ended. */
import { Badge, Group, Text } from "@mantine/core"
import type { ActivityEntry } from "@vault-trader/core/intent/Activity"
import { amount, summaryOf } from "../shell/Format.ts"
import { Time } from "../shell/Time.tsx"
import { Transaction } from "../shell/Transaction.tsx"
import { actionLabelOf } from "./ActionLabels.ts"
import { statusStyles } from "./StatusStyles.ts"

export const amountsText = (amounts: ActivityEntry["out"]): string =>
  amounts.map((each) => `${amount(each.amount)} ${each.symbol}`).join(" + ")

const whatHappened = ({ failure, in: incoming, message, out }: ActivityEntry): string =>
  failure === null && out.length > 0
    ? `${amountsText(out)} → ${incoming.length > 0 ? amountsText(incoming) : "…"}`
    : summaryOf(message).summary

export function ActivityRow({ entry, place }: {
  readonly entry: ActivityEntry
  /** Where it happened, for people. */
  readonly place?: string | undefined
}) {
  const { action, bot, created_at, network, status, tx_hash } = entry
  const { color, filled, label } = statusStyles[status]
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" component="li" py={8} gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={600}>{actionLabelOf(action)}{bot === null ? "" : ` · ${bot}`}</Text>
        <Text size="sm" className="figure" style={{ overflowWrap: "anywhere" }}>{whatHappened(entry)}</Text>
        <Text size="xs" c="dimmed" component="div">
          <Time at={created_at} />
          {place === undefined ? "" : ` · ${place}`}
          {tx_hash !== null && (
            <>
              {" · "}
              <Transaction network={network} hash={tx_hash} />
            </>
          )}
        </Text>
      </div>
      <Badge color={color} variant={filled ? "filled" : "dot"}>{label}</Badge>
    </Group>
  )
}
