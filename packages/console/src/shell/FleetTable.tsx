/** A table for many rows: sorting by any column, and only the visible rows are in the page. */
import { UnstyledButton } from "@mantine/core"
import { type ColumnDef, createSortedRowModel, rowSortingFeature, tableFeatures, useTable } from "@tanstack/react-table"
import { useVirtualizer } from "@tanstack/react-virtual"
import { type ReactNode, useRef } from "react"

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })

export interface FleetColumn<Row> {
  readonly id: string
  readonly label: string
  /** The value that the column is sorted by. */
  readonly sort: (row: Row) => string | number
  readonly cell: (row: Row) => ReactNode
  /** True for figures, which are aligned at their end. */
  readonly isFigure?: boolean
  /** True for a column that phones leave out. */
  readonly isWide?: boolean
}

const rowHeight = 46

const compare = (one: string | number, other: string | number): number =>
  typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other), "en")

const columnsOf = <Row extends object>(
  columns: ReadonlyArray<FleetColumn<Row>>
): Array<ColumnDef<typeof features, Row>> =>
  columns.map(({ id, sort }) => ({
    id,
    accessorFn: sort,
    sortFn: (one, other) => compare(one.getValue(id), other.getValue(id))
  }))

const classOf = ({ isFigure = false, isWide = false }: { readonly isFigure?: boolean; readonly isWide?: boolean }) =>
  [isFigure ? "end" : "", isWide ? "wide" : ""].join(" ").trim()

export function FleetTable<Row extends object>({ columns, keyOf, label, rows, sortedBy }: {
  readonly label: string
  readonly columns: ReadonlyArray<FleetColumn<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  /** The column by which the table is sorted at first; `isDescending`: largest first. */
  readonly sortedBy: { readonly id: string; readonly isDescending: boolean }
}) {
  const box = useRef<HTMLDivElement>(null)
  const table = useTable({
    features,
    data: rows,
    columns: columnsOf(columns),
    getRowId: keyOf,
    initialState: { sorting: [{ id: sortedBy.id, desc: sortedBy.isDescending }] }
  })
  const sorted = table.getRowModel().rows
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12
  })
  const visible = virtual.getVirtualItems()
  const [first, last] = [visible[0], visible.at(-1)]
  const sorting = table.state.sorting[0]
  return (
    <div ref={box} className="fleet" tabIndex={0} role="region" aria-label={label}>
      <table aria-label={label} aria-rowcount={sorted.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => {
              const isSorted = sorting?.id === column.id
              const order = isSorted ? sorting.desc ? "descending" : "ascending" : "none"
              return (
                <th key={column.id} className={classOf(column)} aria-sort={order} scope="col">
                  <UnstyledButton fz="sm" onClick={() => table.getColumn(column.id)?.toggleSorting()}>
                    {column.label}
                    <span aria-hidden="true">{isSorted ? sorting.desc ? " ↓" : " ↑" : ""}</span>
                  </UnstyledButton>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {first !== undefined && first.start > 0 && (
            <tr aria-hidden="true">
              <td colSpan={columns.length} style={{ height: first.start, border: 0 }} />
            </tr>
          )}
          {visible.map(({ index, key }) => {
            const row = sorted[index]?.original
            return row === undefined ? null : (
              <tr key={key} aria-rowindex={index + 2} style={{ height: rowHeight }}>
                {columns.map((column) => <td key={column.id} className={classOf(column)}>{column.cell(row)}</td>)}
              </tr>
            )
          })}
          {last !== undefined && last.end < virtual.getTotalSize() && (
            <tr aria-hidden="true">
              <td colSpan={columns.length} style={{ height: virtual.getTotalSize() - last.end, border: 0 }} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
