/** Orders in short: what, when it trades, and how far it is; each opens its page. */
import { Badge, Group, Progress, Stack, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { PairIcon } from "../shell/Icons.tsx"
import { conditionOf, type Order, progressOf, sizeOf, stateLabelOf, typeLabels } from "./VaultOrders.ts"
import { t } from "../text/Text.ts"

const sideText = ({ pair, side }: Order): string => {
  const base = pair.split("-")[0] ?? ""
  return side === "sell" ? t("Sell {base}", { base }) : t("Buy {base}", { base })
}

export const titleOf = (order: Order): string => `${sideText(order)}: ${typeLabels[order.type].label}`

/** An order with its vault's name. */
export interface NamedOrder {
  readonly order: Order
  readonly vault: string
}

export const nameOf = ({ order, vault }: NamedOrder): string =>
  t("{order} {size} on {vault}", { order: titleOf(order), size: sizeOf(order), vault })

export function OrderBadge({ order }: { readonly order: Order }) {
  const { color, label } = stateLabelOf(order)
  return <Badge color={color} variant={color === "red" ? "filled" : "dot"}>{label}</Badge>
}

export function OrderRows({ orders }: { readonly orders: ReadonlyArray<Order> }) {
  return (
    <Stack gap={0} mx={-12}>
      {orders.map((order) => (
        <Link key={order.id} to="/orders/$order" params={{ order: order.id }} className="row-link">
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <Group gap="sm" wrap="nowrap">
              <PairIcon pair={order.pair} />
              <div>
                <Text size="sm" fw={600}>{titleOf(order)}{order.paper ? ` ${t("(paper)")}` : ""}</Text>
                <Text size="xs" c="dimmed" className="figure">{sizeOf(order)} {conditionOf(order)}</Text>
              </div>
            </Group>
            <OrderBadge order={order} />
          </Group>
          {(progressOf(order) ?? 0) > 0 && (
            <Progress value={progressOf(order) ?? 0} size={4} mt={6} aria-label={t("Executed")} />
          )}
        </Link>
      ))}
    </Stack>
  )
}
