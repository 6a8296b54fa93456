/** Orders of all vaults: those that wait or are executed, or all of them. */
import { Card, NativeSelect } from "@mantine/core"
import { IconArrowsExchange } from "@tabler/icons-react"
import { lazy, Suspense, useMemo } from "react"
import { BulkBar } from "../bulk/BulkBar.tsx"
import { useSelected } from "../bulk/useSelected.ts"
import { useLive } from "../connection/useLive.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type FleetColumn, FleetTable } from "../shell/FleetTable.tsx"
import { count, unknown } from "../shell/Format.ts"
import { networkName, PairIcon } from "../shell/Icons.tsx"
import { Page } from "../shell/Page.tsx"
import { RowLink } from "../shell/RowLink.tsx"
import { Time } from "../shell/Time.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useVaultName } from "../vault/Names.ts"
import { matcherOf, NetworkFilter, TableBar } from "../views/TableBar.tsx"
import { sortOf, sortText, useTableView } from "../views/TableView.ts"
import { type NamedOrder, nameOf, OrderBadge, titleOf } from "./OrderRows.tsx"
import { conditionOf, ordersQuery, progressOf, sizeOf, stateLabelOf } from "./VaultOrders.ts"

const BulkOrders = lazy(() => import("./BulkOrders.tsx").then(({ BulkOrders }) => ({ default: BulkOrders })))

const columns: ReadonlyArray<FleetColumn<NamedOrder>> = [
  {
    id: "order",
    width: 18,
    label: "Order",
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
    label: "State",
    sort: ({ order }) => stateLabelOf(order).label,
    group: ({ order }) => stateLabelOf(order).label,
    cell: ({ order }) => <OrderBadge order={order} />
  },
  {
    id: "vault",
    width: 14,
    label: "Vault",
    isWide: true,
    sort: ({ vault }) => vault,
    group: ({ order, vault }) => `${vault}, ${networkName(order.network)}`,
    cell: ({ order, vault }) => <RowLink to={`/vaults/${order.network}/${order.pool}`}>{vault}</RowLink>
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
    width: 20,
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

const keyOf = ({ order }: NamedOrder) => order.id

const byTime = { id: "placed", isDescending: true }

export type OrderAction = "pause" | "resume" | "cancel"

const actions: ReadonlyArray<readonly [OrderAction, string]> = [
  ["pause", "Pause"],
  ["resume", "Resume"],
  ["cancel", "Cancel orders"]
]

/** Says how many orders there are, and whether there may be older ones. */
const statusOf = (shown: number, all: number, isComplete: boolean): string =>
  `${shown === all ? count(all, "order") : `${shown} of ${count(all, "order")}`}${isComplete ? "" : ", the newest"}`

function FleetOfOrders({ isComplete, replace, rows, set, view }: ReturnType<typeof useTableView> & {
  readonly rows: ReadonlyArray<NamedOrder>
  readonly isComplete: boolean
}) {
  const { network = "" } = view
  const shown = useMemo(() => {
    const matches = matcherOf(view)
    return rows.filter(({ order, vault }) =>
      (network === "" || order.network === network) &&
      matches(`${titleOf(order)} ${order.pair} ${vault} ${order.network} ${order.state}`)
    )
  }, [rows, view])
  const { clear, rows: selected, selection } = useSelected(shown, keyOf, nameOf)
  const { close, dialog, open } = useDialog<OrderAction>()
  const networks = [...new Set(rows.map(({ order }) => order.network))].sort()
  return (
    <>
      <TableBar table="orders" placeholder="Pair, vault, type…" {...{ columns, replace, set, view }}>
        <NativeSelect
          label="Show"
          value={view.show ?? ""}
          data={[{ value: "", label: "Open" }, { value: "all", label: "All" }]}
          onChange={(event) => set({ show: event.currentTarget.value })}
        />
        <NetworkFilter
          {...{ set, view }}
          names={networks.map((each) => ({ value: each, label: networkName(each) }))}
        />
      </TableBar>
      {rows.length === 0
        ? (
          <EmptyState
            icon={<IconArrowsExchange size={22} />}
            title={view.show === "all" ? "No order yet" : "No open order"}
          >
            Limits, stops, take-profits, TWAP and DCA trade when their price or their time comes, also while this page
            is closed. Open a vault and choose <b>Place order</b>.
          </EmptyState>
        )
        : (
          <>
            <BulkBar
              status={statusOf(shown.length, rows.length, isComplete)}
              count={selected.length}
              {...{ actions, clear }}
              choose={open}
            />
            <FleetTable
              label="Orders"
              columns={columns}
              rows={shown}
              keyOf={keyOf}
              sortedBy={byTime}
              sort={sortOf(view, byTime)}
              onSort={(sort) => set({ sort: sortText(sort) })}
              groupBy={view.group}
              selection={selection}
            />
          </>
        )}
      <Suspense fallback={null}>
        {dialog !== undefined && <BulkOrders name={dialog} orders={selected} everyOrder={rows} close={close} />}
      </Suspense>
    </>
  )
}

export function OrdersPage() {
  const table = useTableView()
  const { key, watch } = ordersQuery(table.view.show === "all")
  const orders = useLive(key, watch)
  const vaultName = useVaultName()
  const rows = useMemo(
    () => (orders.data?.orders ?? []).map((order) => ({ order, vault: vaultName(order.network, order.pool) })),
    [orders.data, vaultName]
  )
  return (
    <Page title="Orders" query={orders}>
      <Card withBorder padding="sm">
        <FleetOfOrders {...table} rows={rows} isComplete={orders.data?.cursor === null} />
      </Card>
    </Page>
  )
}
