/** A vault's resting orders at HyperCore, each with its cancellation. */
import { Button, Text } from "@mantine/core"
import { IconArrowsExchange } from "@tabler/icons-react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { amount, price } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import { Time } from "../shell/Time.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { orderName, type RestingOrder, tifLabels, useRestingOrders } from "./Perpetuals.ts"
import { t } from "../text/Text.ts"

const tifText = (tif: string | null): string =>
  tif !== null && Object.hasOwn(tifLabels, tif) ? tifLabels[tif as keyof typeof tifLabels] : t("unknown")

export function RestingOrders({ cancel, vault }: {
  readonly vault: VaultRef
  readonly cancel: (order: RestingOrder) => void
}) {
  const orders = useRestingOrders(vault)
  return (
    <Section title={t("Resting orders")}>
      {orders.error !== null && (
        <Problem
          title={orders.data === undefined ? t("This cannot be loaded right now") : t("The data shown is outdated")}
          message={orders.error.message}
          funds=""
        />
      )}
      {orders.data?.length === 0 && (
        <EmptyState icon={<IconArrowsExchange size={22} />} title={t("No resting order")}>
          {t("A limit order that is not filled at once rests at HyperCore, also while this page is closed.")}
        </EmptyState>
      )}
      {orders.data !== undefined && orders.data.length > 0 && (
        <ResponsiveTable
          label={t("Resting orders")}
          columns={[t("Order"), t("Limit price"), t("Not filled yet"), t("Time in force"), t("Placed"), t("Change")]}
          rows={orders.data.map((order) => ({
            key: order.oid,
            cells: [
              <Text key="order" size="sm" fw={600}>
                {orderName(order)}
                {order.reduce_only && <Text span size="xs" c="dimmed">{` · ${t("Reduce only")}`}</Text>}
              </Text>,
              `$${price(order.price)}`,
              `${amount(order.remaining)} / ${amount(order.size)} ${order.coin}`,
              tifText(order.tif),
              <Time key="placed" at={new Date(order.placed_at * 1000).toISOString()} />,
              <Button key="cancel" size="compact-sm" variant="default" onClick={() => cancel(order)}>
                {t("Cancel the order")}
              </Button>
            ]
          }))}
        />
      )}
    </Section>
  )
}
