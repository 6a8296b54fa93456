/** The lines of a table: its rows, sorted by a column, and the headings of their groups. */
import { type ReactNode, useMemo } from "react"
import { groupedBy } from "./Grouped.ts"

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

/** Sorts rows by a column, whose value is read once for each row. Equal rows stay in their order. */
export const sortRows = <Row>(
  rows: ReadonlyArray<Row>,
  valueOf: ((row: Row) => string | number) | undefined,
  isDescending: boolean
): ReadonlyArray<Row> => {
  if (valueOf === undefined) return rows
  const valued = rows.map((row) => ({ row, value: valueOf(row) }))
  valued.sort((one, other) => isDescending ? compare(other.value, one.value) : compare(one.value, other.value))
  return valued.map(({ row }) => row)
}

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
  const { id, isDescending } = sort
  const sorted = useMemo(
    () => sortRows(rows, columns.find((column) => column.id === id)?.sort, isDescending),
    [rows, columns, id, isDescending]
  )
  return useMemo(
    () =>
      linesOf(
        sorted.map((row) => ({ key: keyOf(row), row })),
        columns.find((column) => column.id === groupBy) ?? {}
      ),
    [sorted, columns, groupBy, keyOf]
  )
}
