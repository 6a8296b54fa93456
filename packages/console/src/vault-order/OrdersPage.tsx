/** Orders of all vaults: those that wait or are executed, or all of them. */
import { Anchor, Card, Group, SegmentedControl, Text, TextInput } from "@mantine/core"
import { IconArrowsExchange, IconSearch } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useLive } from "../connection/useLive.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type FleetColumn, FleetTable } from "../shell/FleetTable.tsx"
import { count, unknown } from "../shell/Format.ts"
import { PairIcon } from "../shell/Icons.tsx"
import { Page } from "../shell/Page.tsx"
import { Time } from "../shell/Time.tsx"
import { useVaultName } from "../vault/Names.ts"
import { OrderBadge, titleOf } from "./OrderRows.tsx"
import { conditionOf, type Order, ordersQuery, progressOf, sizeOf } from "./VaultOrders.ts"

interface Named {
  readonly order: Order
  readonly vault: string
}

const columns: ReadonlyArray<FleetColumn<Named>> = [
  {
    id: "order",
    label: "Order",
    sort: ({ order }) => titleOf(order),
    cell: ({ order }) => (
      <Group gap="xs" wrap="nowrap">
        <PairIcon pair={order.pair} size={20} />
        <Anchor component={Link} to="/orders/$order" params={{ order: order.id } as never} size="sm" fw={600}>
          {titleOf(order)}
        </Anchor>
      </Group>
    )
  },
  { id: "state", label: "State", sort: ({ order }) => order.state, cell: ({ order }) => <OrderBadge order={order} /> },
  {
    id: "vault",
    label: "Vault",
    isWide: true,
    sort: ({ vault }) => vault,
    cell: ({ order, vault }) => (
      <Anchor
        component={Link}
        to="/vaults/$network/$pool"
        params={{ network: order.network, pool: order.pool } as never}
        size="sm"
      >
        {vault}
      </Anchor>
    )
  },
  {
    id: "size",
    label: "Size",
    isFigure: true,
    isWide: true,
    sort: ({ order }) => Number(order.amount ?? 0),
    cell: ({ order }) => sizeOf(order)
  },
  {
    id: "when",
    label: "Trades",
    isWide: true,
    sort: ({ order }) => conditionOf(order),
    cell: ({ order }) => conditionOf(order)
  },
  {
    id: "done",
    label: "Executed",
    isFigure: true,
    isWide: true,
    sort: ({ order }) => progressOf(order) ?? 0,
    cell: ({ order }) => {
      const progress = progressOf(order)
      return progress === undefined ? unknown : `${Math.round(progress)} %`
    }
  },
  {
    id: "placed",
    label: "Placed",
    isFigure: true,
    sort: ({ order }) => order.created_at,
    cell: ({ order }) => <Time at={order.created_at} />
  }
]

export function OrdersPage() {
  const [isAll, setIsAll] = useState(false)
  const [text, setText] = useState("")
  const { key, watch } = ordersQuery(isAll)
  const orders = useLive(key, watch)
  const vaultName = useVaultName()
  const words = text.toLowerCase().split(/\s+/)
  const rows = (orders.data?.orders ?? []).map((order) => ({ order, vault: vaultName(order.network, order.pool) }))
  const shown = rows.filter(({ order, vault }) => {
    const searched = `${titleOf(order)} ${order.pair} ${vault} ${order.network} ${order.state}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  })
  return (
    <Page title="Orders" query={orders}>
      <Card withBorder padding="sm">
        <Group gap="xs" mb="sm" align="flex-end">
          <TextInput
            label="Search"
            placeholder="Pair, vault, type…"
            leftSection={<IconSearch size={16} aria-hidden="true" />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            style={{ flex: "1 1 200px" }}
          />
          <SegmentedControl
            aria-label="Which orders"
            value={isAll ? "all" : "open"}
            data={[{ value: "open", label: "Open" }, { value: "all", label: "All" }]}
            onChange={(value) => setIsAll(value === "all")}
          />
        </Group>
        {rows.length === 0
          ? (
            <EmptyState icon={<IconArrowsExchange size={22} />} title={isAll ? "No order yet" : "No open order"}>
              Limits, stops, take-profits, TWAP and DCA trade when their price or their time comes, also while this page
              is closed. Open a vault and choose <b>Place order</b>.
            </EmptyState>
          )
          : (
            <>
              <Text size="sm" c="dimmed" mb={4} role="status">
                {shown.length === rows.length
                  ? count(rows.length, "order")
                  : `${shown.length} of ${count(rows.length, "order")}`}
                {orders.data?.cursor === null ? "" : ", the newest"}
              </Text>
              <FleetTable
                label="Orders"
                columns={columns}
                rows={shown}
                keyOf={({ order }) => order.id}
                sortedBy={{ id: "placed", isDescending: true }}
              />
            </>
          )}
      </Card>
    </Page>
  )
}
