/**
 * A table for many rows: sorting by any column, groups, a selection, and only the visible rows are in the page. The
 * selection works without a mouse: arrows move between the checkboxes, Shift extends, Ctrl+A takes all rows.
 */
import { elementScroll, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual"
import { type KeyboardEvent, memo, type ReactNode, type RefObject, useMemo, useRef, useState } from "react"
import { type FleetColumn, type TableSort, useLines } from "./FleetLines.ts"
import { type FleetSelection, SelectBox, SelectMany, useRange } from "./FleetSelection.tsx"
import { locale, t } from "../text/Text.ts"

export type { FleetColumn, TableSort } from "./FleetLines.ts"

const rowHeight = 46

/** How many rows are drawn above and below the visible ones: a scrolled table shows them until others are drawn. */
const overscan = 3

const usualWidth = 10

/** The height that the style sheet gives to a table with many rows, in pixels. */
const fullHeight = () => Math.min(innerHeight * 0.7, 760)

/** Follows the table's size as the browser lays it out; reading it at once would make it lay the page out twice. */
const followSize = (
  { scrollElement }: Virtualizer<HTMLDivElement, Element>,
  change: (size: { readonly width: number; readonly height: number }) => void
): () => void => {
  if (scrollElement === null) return () => {}
  const observer = new ResizeObserver((entries) => {
    const size = entries.at(-1)?.borderBoxSize[0]
    if (size !== undefined) change({ width: Math.round(size.inlineSize), height: Math.round(size.blockSize) })
  })
  observer.observe(scrollElement, { box: "border-box" })
  return () => observer.disconnect()
}

const classes = ["", "end", "wide", "end wide"] as const

const classOf = ({ isFigure = false, isWide = false }: { readonly isFigure?: boolean; readonly isWide?: boolean }) =>
  classes[(isFigure ? 1 : 0) + (isWide ? 2 : 0)]

/** Scrolls the table; not at the start, to where it is, for which the browser would lay the page out. */
const scrollTo: typeof elementScroll<HTMLDivElement> = (offset, options, table) => {
  if (offset > 0 || (table.scrollOffset ?? 0) > 0) elementScroll(offset, options, table)
}

/** Selects the lines that are drawn. */
const useVisible = (box: RefObject<HTMLDivElement | null>, count: number) =>
  useVirtualizer<HTMLDivElement, Element>({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan,
    // The first rows are drawn with the table, not after it was measured.
    initialRect: { width: innerWidth, height: fullHeight() },
    observeElementRect: followSize,
    scrollToFn: scrollTo,
    // Below the headings, which stay at the top.
    scrollPaddingStart: rowHeight
  })

interface RowProps<Row> {
  readonly row: Row
  readonly index: number
  readonly position: number
  readonly columns: ReadonlyArray<FleetColumn<Row>>
  /** The label of the row's checkbox; undefined without a selection. */
  readonly selectLabel: string | undefined
  readonly isSelected: boolean
  readonly select: (position: number, isSelected: boolean, extend: boolean) => void
}

function FleetRow<Row>(
  { columns, index, isSelected, position, row, select, selectLabel }: RowProps<Row>
) {
  return (
    <tr aria-rowindex={index + 2} data-selected={isSelected || undefined}>
      {selectLabel !== undefined && (
        <td className="check">
          <SelectBox
            label={selectLabel}
            position={position}
            isSelected={isSelected}
            onSelect={(chosen, extend) => select(position, chosen, extend)}
          />
        </td>
      )}
      {columns.map((column) => <td key={column.id} className={classOf(column)}>{column.cell(row)}</td>)}
    </tr>
  )
}

/** A row that is drawn again only when something of it changed: the others stay while one is selected. */
const MemoRow = memo(FleetRow) as typeof FleetRow

function Headings<Row>({ columns, onSort, selectAll, sort }: {
  readonly columns: ReadonlyArray<FleetColumn<Row>>
  readonly sort: TableSort
  readonly onSort: (sort: TableSort) => void
  readonly selectAll: ReactNode
}) {
  const all = columns.reduce((sum, { width = usualWidth }) => sum + width, 0)
  return (
    <tr aria-rowindex={1}>
      {selectAll}
      {columns.map((column) => {
        const isSorted = sort.id === column.id
        const order = isSorted ? sort.isDescending ? "descending" : "ascending" : "none"
        return (
          <th
            key={column.id}
            className={classOf(column)}
            aria-sort={order}
            scope="col"
            style={{ width: `${(column.width ?? usualWidth) / all * 100}%` }}
          >
            <button
              type="button"
              onClick={() =>
                onSort({ id: column.id, isDescending: isSorted ? !sort.isDescending : column.isFigure === true })}
            >
              {column.label}
              <span aria-hidden="true">{isSorted ? sort.isDescending ? " ↓" : " ↑" : ""}</span>
            </button>
          </th>
        )
      })}
    </tr>
  )
}

function Spacer({ height, span }: { readonly height: number; readonly span: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden="true" style={{ height }}>
      <td colSpan={span} style={{ border: 0 }} />
    </tr>
  )
}

function GroupLine<Row>({ index, line: { keys, label }, selectMany, selection, span }: {
  readonly line: { readonly label: string; readonly keys: ReadonlyArray<string> }
  readonly index: number
  readonly span: number
  readonly selection: FleetSelection<Row> | undefined
  readonly selectMany: (keys: ReadonlyArray<string>, isSelected: boolean) => void
}) {
  return (
    <tr aria-rowindex={index + 2} className="fleet-group">
      {selection !== undefined && (
        <td className="check">
          <SelectMany label={t("Select all of {label}", { label })} {...{ keys, selection, selectMany }} />
        </td>
      )}
      <th colSpan={span} scope="rowgroup">
        {label} <span>{keys.length}</span>
      </th>
    </tr>
  )
}

/** Returns the handler of the table's keys: arrows move between the rows' checkboxes, Ctrl+A selects all rows. */
const keysOf = ({ hasSelection, keys, select, selectMany, show }: Pick<RowProps<never>, "select"> & {
  readonly hasSelection: boolean
  readonly keys: ReadonlyArray<string>
  readonly selectMany: (keys: ReadonlyArray<string>, isSelected: boolean) => void
  readonly show: (position: number) => void
}) =>
(event: KeyboardEvent<HTMLDivElement>) => {
  if (!hasSelection) return
  if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    selectMany(keys, true)
    return
  }
  const at = event.target instanceof HTMLElement ? event.target.dataset["position"] : undefined
  if (at === undefined || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return
  event.preventDefault()
  const next = Number(at) + (event.key === "ArrowDown" ? 1 : -1)
  if (event.shiftKey && next >= 0 && next < keys.length) select(next, true, true)
  show(next)
}

interface FleetTableProps<Row> {
  readonly label: string
  /** The same array each time, so that nothing is sorted again without a reason. */
  readonly columns: ReadonlyArray<FleetColumn<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  /** The order at first. */
  readonly sortedBy: TableSort
  /** The order now, for a caller that keeps it. */
  readonly sort?: TableSort
  readonly onSort?: (sort: TableSort) => void
  /** The id of the column by which the rows are grouped. */
  readonly groupBy?: string | undefined
  readonly selection?: FleetSelection<Row>
}

export function FleetTable<Row extends object>(
  { columns, groupBy, keyOf, label, onSort, rows, selection, sort: chosenSort, sortedBy }: FleetTableProps<Row>
) {
  const box = useRef<HTMLDivElement>(null)
  const [ownSort, setOwnSort] = useState(sortedBy)
  const sort = chosenSort ?? ownSort
  const lines = useLines({ columns, groupBy, keyOf, rows, sort })
  const virtual = useVisible(box, lines.length)
  const keys = useMemo(() => lines.flatMap((line) => "row" in line ? [line.key] : []), [lines])
  const { select, selectMany } = useRange(keys, selection)
  const show = (position: number) => {
    const index = lines.findIndex((line) => "row" in line && line.position === position)
    if (index === -1) return
    virtual.scrollToIndex(index)
    box.current?.querySelector<HTMLElement>(`[data-position="${position}"]`)?.focus({ preventScroll: true })
  }
  const onKeyDown = keysOf({ hasSelection: selection !== undefined, keys, select, selectMany, show })
  // Scrolling draws the table again; its headings stay.
  const headings = useMemo(
    () => (
      <Headings
        columns={columns}
        sort={sort}
        onSort={onSort ?? setOwnSort}
        selectAll={selection !== undefined && (
          <th className="check" scope="col">
            <SelectMany
              label={t("Select all {count} {label}", {
                count: keys.length.toLocaleString(locale),
                label: label.toLowerCase()
              })}
              {...{ keys, selection, selectMany }}
            />
          </th>
        )}
      />
    ),
    [columns, sort.id, sort.isDescending, onSort, selection, keys, label, selectMany]
  )
  const visible = virtual.getVirtualItems()
  const span = columns.length + (selection === undefined ? 0 : 1)
  return (
    <div ref={box} className="fleet" tabIndex={0} role="region" aria-label={label} onKeyDown={onKeyDown}>
      <table aria-label={label} aria-rowcount={lines.length + 1}>
        <thead>{headings}</thead>
        <tbody>
          <Spacer height={visible[0]?.start ?? 0} span={span} />
          {visible.map(({ index, key }) => {
            const line = lines[index]
            if (line === undefined) return null
            if ("row" in line) {
              return (
                <MemoRow
                  key={line.key}
                  {...{ columns, index, select }}
                  row={line.row}
                  position={line.position}
                  isSelected={selection?.selected.has(line.key) === true}
                  selectLabel={selection && t("Select {row}", { row: selection.nameOf(line.row) })}
                />
              )
            }
            return <GroupLine key={key} {...{ index, line, selection, selectMany }} span={columns.length} />
          })}
          <Spacer height={virtual.getTotalSize() - (visible.at(-1)?.end ?? 0)} span={span} />
        </tbody>
      </table>
    </div>
  )
}
