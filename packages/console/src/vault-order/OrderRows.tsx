/** Orders in short: what, when it trades, and how far it is; each opens its page. */
import { Badge, Group, Progress, Stack, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { PairIcon } from "../shell/Icons.tsx"
import { conditionOf, type Order, progressOf, sizeOf, stateLabelOf, typeLabels } from "./VaultOrders.ts"
import { t } from "../text/Text.ts"

export const titleOf = ({ pair, side, type }: Order): string => {
  const values = { base: pair.split("-")[0] ?? "", type: typeLabels[type].label }
  return side === "sell" ? t("Sell {base}: {type}", values) : t("Buy {base}: {type}", values)
}

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
                <Text size="sm" fw={600}>
                  {order.paper ? t("{text} (paper)", { text: titleOf(order) }) : titleOf(order)}
                </Text>
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
