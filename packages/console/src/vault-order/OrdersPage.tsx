/** Orders of all vaults: those that wait or are executed, or all of them. */
import { Card, NativeSelect } from "@mantine/core"
import { IconArrowsExchange } from "@tabler/icons-react"
import { lazy, useMemo } from "react"
import { useLive } from "../connection/useLive.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import type { FleetColumn } from "../shell/FleetTable.tsx"
import { unknown } from "../shell/Format.ts"
import { networkName, PairIcon } from "../shell/Icons.tsx"
import { Page } from "../shell/Page.tsx"
import { RowLink } from "../shell/RowLink.tsx"
import { Time } from "../shell/Time.tsx"
import { useVaultName } from "../vault/Names.ts"
import { Fleet, type FleetKind } from "../fleet/Fleet.tsx"
import { useTableView } from "../views/TableView.ts"
import { type NamedOrder, nameOf, OrderBadge, titleOf } from "./OrderRows.tsx"
import { conditionOf, ordersQuery, progressOf, sizeOf, stateLabelOf } from "./VaultOrders.ts"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

const BulkOrders = lazy(() => import("./BulkOrders.tsx").then(({ BulkOrders }) => ({ default: BulkOrders })))

const columns: ReadonlyArray<FleetColumn<NamedOrder>> = [
  {
    id: "order",
    width: 18,
    label: t("Order"),
    sort: ({ order }) => titleOf(order),
    group: ({ order }) => titleOf(order),
    cell: ({ order }) => (
      <span className="cell">
        <PairIcon pair={order.pair} size={20} />
        <RowLink to={`/orders/${order.id}`} isStrong>{titleOf(order)}</RowLink>
      </span>
    )
  },
  {
    id: "state",
    width: 12,
    label: t("State"),
    sort: ({ order }) => stateLabelOf(order).label,
    group: ({ order }) => stateLabelOf(order).label,
    cell: ({ order }) => <OrderBadge order={order} />
  },
  {
    id: "vault",
    width: 14,
    label: t("Vault"),
    isWide: true,
    sort: ({ vault }) => vault,
    group: ({ order, vault }) => `${vault}, ${networkName(order.network)}`,
    cell: ({ order, vault }) => <RowLink to={`/vaults/${order.network}/${order.pool}`}>{vault}</RowLink>
  },
  {
    id: "size",
    label: t("Size"),
    isFigure: true,
    isWide: true,
    sort: ({ order }) => Number(order.amount ?? 0),
    cell: ({ order }) => sizeOf(order)
  },
  {
    id: "when",
    width: 20,
    label: t("Condition"),
    isWide: true,
    sort: ({ order }) => conditionOf(order),
    cell: ({ order }) => conditionOf(order)
  },
  {
    id: "done",
    label: t("Executed"),
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
    label: t("Placed"),
    isFigure: true,
    sort: ({ order }) => order.created_at,
    cell: ({ order }) => <Time at={order.created_at} />
  }
]

export type OrderAction = "pause" | "resume" | "cancel"

const actions: ReadonlyArray<readonly [OrderAction, string]> = [
  ["pause", t("Pause")],
  ["resume", t("Resume")],
  ["cancel", t("Cancel orders")]
]

const kind: FleetKind<NamedOrder> = {
  table: "orders",
  label: t("Orders"),
  countOf: (count) => t("{count, plural, one {# order} other {# orders}}", { count }),
  placeholder: t("Pair, vault, type…"),
  columns,
  sortedBy: { id: "placed", isDescending: true },
  keyOf: ({ order }) => order.id,
  nameOf,
  networkOf: ({ order }) => order.network,
  textOf: ({ order, vault }) => `${titleOf(order)} ${order.pair} ${vault} ${order.network} ${order.state}`
}

function NoOrder({ isAny, isAll }: { readonly isAny: boolean; readonly isAll: boolean }) {
  const icon = <IconArrowsExchange size={22} />
  if (isAny) {
    return (
      <EmptyState icon={icon} title={t("No order matches")}>
        {t("Search for a pair, a vault or a type, or show all networks.")}
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={icon} title={isAll ? t("No order yet") : t("No open order")}>
      <T
        message={"Limits, stops, take-profits, TWAP and DCA trade when their price or their time comes, also " +
          "while this page is closed. Open a vault and choose <0>Place order</0>."}
        parts={[<b />]}
      />
    </EmptyState>
  )
}

export function OrdersPage() {
  const view = useTableView()
  const isAll = view.view.show === "all"
  const { key, watch } = ordersQuery(isAll)
  const orders = useLive(key, watch)
  const vaultName = useVaultName()
  const rows = useMemo(
    () => (orders.data?.orders ?? []).map((order) => ({ order, vault: vaultName(order.network, order.pool) })),
    [orders.data, vaultName]
  )
  return (
    <Page title={t("Orders")} query={orders}>
      <Card withBorder padding="sm">
        <Fleet
          kind={kind}
          rows={rows}
          view={view}
          actions={actions}
          statusOf={(status) => orders.data?.cursor === null ? status : t("{status}, the newest", { status })}
          filters={
            <NativeSelect
              label={t("Show")}
              value={view.view.show ?? ""}
              data={[{ value: "", label: t("Open") }, { value: "all", label: t("All") }]}
              onChange={(event) => view.set({ show: event.currentTarget.value })}
            />
          }
          empty={<NoOrder isAny={rows.length > 0} isAll={isAll} />}
        >
          {(name, selected, close) => <BulkOrders name={name} orders={selected} everyOrder={rows} close={close} />}
        </Fleet>
      </Card>
    </Page>
  )
}
