/** The lines of a table: its rows, sorted by a column, and the headings of their groups. */
import { type ColumnDef, createSortedRowModel, rowSortingFeature, tableFeatures, useTable } from "@tanstack/react-table"
import { type ReactNode, useMemo } from "react"
import { groupedBy } from "./Grouped.ts"

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })

export interface FleetColumn<Row> {
  readonly id: string
  readonly label: string
  /** The value that the column is sorted by. */
  readonly sort: (row: Row) => string | number
  readonly cell: (row: Row) => ReactNode
  /** The heading of a row's group, for columns by which rows can be grouped. */
  readonly group?: (row: Row) => string
  /** True for figures, which are aligned at their end. */
  readonly isFigure?: boolean
  /** True for a column that phones leave out. */
  readonly isWide?: boolean
  /** Its width, in proportion to those of the other columns. */
  readonly width?: number
}

/** The column by which a table is sorted; `isDescending`: largest first. */
export interface TableSort {
  readonly id: string
  readonly isDescending: boolean
}

const compare = (one: string | number, other: string | number): number =>
  typeof one === "number" && typeof other === "number" ? one - other : collator.compare(String(one), String(other))

/** A collator that exists once: `localeCompare` with a language makes one for each comparison. */
const collator = new Intl.Collator("en")

const columnsOf = <Row extends object>(
  columns: ReadonlyArray<FleetColumn<Row>>
): Array<ColumnDef<typeof features, Row>> =>
  columns.map(({ id, sort }) => ({
    id,
    accessorFn: sort,
    sortFn: (one, other) => compare(one.getValue(id), other.getValue(id))
  }))

/** A line of the table's body: a row, or the heading of a group. */
export type Line<Row> =
  | { readonly row: Row; readonly key: string; readonly position: number }
  | { readonly label: string; readonly keys: ReadonlyArray<string>; readonly key: string }

/** Lists rows in their groups, in the order of the group's column; without a group, just the rows. */
const linesOf = <Row extends object>(
  rows: ReadonlyArray<{ readonly key: string; readonly row: Row }>,
  { group, sort }: Partial<Pick<FleetColumn<Row>, "group" | "sort">>
): ReadonlyArray<Line<Row>> => {
  if (group === undefined || sort === undefined) return rows.map((each, position) => ({ ...each, position }))
  const sorted = [...groupedBy(rows, ({ row }) => group(row))].sort(([, [one]], [, [other]]) =>
    one === undefined || other === undefined ? 0 : compare(sort(one.row), sort(other.row))
  )
  let position = 0
  return sorted.flatMap(([label, members]): ReadonlyArray<Line<Row>> => [
    { label, keys: members.map(({ key }) => key), key: `group ${label}` },
    ...members.map((each) => ({ ...each, position: position++ }))
  ])
}

/** Sorts the rows by a column, and lists them in their groups. */
export const useLines = <Row extends object>(
  { columns, groupBy, keyOf, rows, sort }: {
    readonly columns: ReadonlyArray<FleetColumn<Row>>
    readonly rows: ReadonlyArray<Row>
    readonly keyOf: (row: Row) => string
    readonly sort: TableSort
    readonly groupBy: string | undefined
  }
) => {
  const definitions = useMemo(() => columnsOf(columns), [columns])
  const sorting = useMemo(() => [{ id: sort.id, desc: sort.isDescending }], [sort.id, sort.isDescending])
  const table = useTable({
    features,
    data: rows,
    columns: definitions,
    getRowId: keyOf,
    state: { sorting }
  })
  const sorted = table.getRowModel().rows
  return useMemo(
    () =>
      linesOf(
        sorted.map(({ id, original }) => ({ key: id, row: original })),
        columns.find(({ id }) => id === groupBy) ?? {}
      ),
    [sorted, columns, groupBy]
  )
}
