/**
 * A table of many things with all that is above it: search, filters by network and tag, groups, saved views, and what is
 * done with the selected rows. The view is in the page's address.
 */
import { NativeSelect } from "@mantine/core"
import { lazy, memo, type ReactNode, Suspense, useCallback, useMemo } from "react"
import { BulkBar } from "../bulk/BulkBar.tsx"
import { useSelected } from "../bulk/useSelected.ts"
import { type FleetColumn, FleetTable, type TableSort } from "../shell/FleetTable.tsx"
import { networkName } from "../shell/Icons.tsx"
import { useDialog } from "../shell/useDialog.ts"
import type { TableName } from "../views/SavedViews.ts"
import { matcherOf, NetworkFilter, TableBar } from "../views/TableBar.tsx"
import { sortOf, sortText, type TableView, type useTableView } from "../views/TableView.ts"
import { useTags } from "../views/Tags.ts"
import { t } from "../text/Text.ts"
import { useUnchanged } from "./Unchanged.ts"

const TagsDialog = lazy(() => import("../views/TagsDialog.tsx").then(({ TagsDialog }) => ({ default: TagsDialog })))

/** The things that a table lists, and how it shows them. The same object each time. */
export interface FleetKind<Row> {
  readonly table: TableName
  /** The table's name. */
  readonly label: string
  /** The word that is counted. */
  readonly countOf: (count: number) => string
  readonly placeholder: string
  readonly columns: ReadonlyArray<FleetColumn<Row>>
  readonly sortedBy: TableSort
  readonly keyOf: (row: Row) => string
  readonly nameOf: (row: Row) => string
  readonly networkOf: (row: Row) => string
  /** The text that is searched. */
  readonly textOf: (row: Row) => string
  /** Returns true if the table's own filters let a row through. */
  readonly keep?: (row: Row, view: TableView) => boolean
  /** Returns the key of a row's tags; things without it have none. */
  readonly tagKeyOf?: (row: Row) => string
}

const noTags: ReadonlyArray<string> = []

/** Returns the rows that the view shows, with the columns, which include that of the tags once there are some. */
const useFleet = <Row extends object>(
  { columns: own, keep, networkOf, table, tagKeyOf, textOf }: FleetKind<Row>,
  rows: ReadonlyArray<Row>,
  view: TableView
) => {
  const { all, tagsOf } = useTags(table === "vaults" ? "vaults" : "bots")
  const tags = tagKeyOf === undefined ? noTags : all
  const ofRow = (row: Row): ReadonlyArray<string> => tagKeyOf === undefined ? [] : tagsOf(tagKeyOf(row))
  const columns = useMemo((): ReadonlyArray<FleetColumn<Row>> => {
    if (tags.length === 0) return own
    return [...own, {
      id: "tags",
      label: t("Tags"),
      isWide: true,
      // Those without a tag are last.
      sort: (row) => `${ofRow(row).length === 0 ? 1 : 0} ${ofRow(row).join()}`,
      group: (row) => ofRow(row).join(", ") || t("No tag"),
      cell: (row) => {
        const text = ofRow(row).join(", ")
        return <span title={text}>{text}</span>
      }
    }]
  }, [own, all, tagsOf])
  const texts = useMemo(
    () => new Map(rows.map((row) => [row, `${textOf(row)} ${ofRow(row).join(" ")}`.toLowerCase()])),
    [rows, textOf, tagsOf]
  )
  const shown = useMemo(() => {
    const { network = "", tag = "" } = view
    const matches = matcherOf(view)
    return rows.filter((row) =>
      (network === "" || networkOf(row) === network) &&
      (tag === "" || ofRow(row).includes(tag)) &&
      (keep === undefined || keep(row, view)) &&
      matches(texts.get(row) ?? "")
    )
  }, [rows, view, texts, tagsOf])
  const networks = useMemo(() => [...new Set(rows.map(networkOf))].sort(), [rows])
  return { columns, networks, shown, tags }
}

/** The controls above the table. A selection draws the table again; they stay. */
const FleetBar = memo(({ columns, filters, networks, placeholder, replace, set, table, tags, view }:
  & {
    readonly columns: ReadonlyArray<FleetColumn<never>>
    readonly filters: ReactNode
    readonly networks: ReadonlyArray<string>
    readonly tags: ReadonlyArray<string>
  }
  & Pick<FleetKind<never>, "placeholder" | "table">
  & ReturnType<typeof useTableView>) => (
  <TableBar {...{ columns, placeholder, replace, set, table, view }}>
    {filters}
    <NetworkFilter
      {...{ set, view }}
      names={networks.map((each) => ({ value: each, label: networkName(each) }))}
    />
    {tags.length > 0 && (
      <NativeSelect
        label={t("Tag")}
        value={view.tag ?? ""}
        data={[{ value: "", label: t("All tags") }, ...tags]}
        onChange={(event) => set({ tag: event.currentTarget.value })}
      />
    )}
  </TableBar>
))

const tagging = "tags"

export function Fleet<Row extends object, Name extends string = never>(
  { actions = [], children, empty, filters, kind, rows: given, statusOf, view: { replace, set, view } }: {
    readonly kind: FleetKind<Row>
    readonly rows: ReadonlyArray<Row>
    readonly view: ReturnType<typeof useTableView>
    /** The table's own filters. */
    readonly filters?: ReactNode
    /** The actions on the selected rows. */
    readonly actions?: ReadonlyArray<readonly [name: Name, label: string]>
    /** Shown instead of the table while nothing matches. */
    readonly empty: ReactNode
    /** Adds to the status that says how many rows there are. */
    readonly statusOf?: (status: string) => string
    /** Returns the review of an action. */
    readonly children?: (name: Name, selected: ReadonlyArray<Row>, close: () => void) => ReactNode
  }
) {
  const { countOf, keyOf, label, nameOf, placeholder, sortedBy, table, tagKeyOf } = kind
  const rows = useUnchanged(given, keyOf)
  const { columns, networks, shown, tags } = useFleet(kind, rows, view)
  const { clear, rows: selected, selection } = useSelected(shown, keyOf, nameOf)
  const { close, dialog, open } = useDialog<Name | typeof tagging>()
  const status = shown.length === rows.length
    ? countOf(rows.length)
    : t("{count} of {all}", { count: shown.length, all: countOf(rows.length) })
  const onSort = useCallback((sort: TableSort) => set({ sort: sortText(sort) }), [set])
  return (
    <>
      <FleetBar {...{ columns, filters, networks, placeholder, replace, set, table, tags, view }} />
      {rows.length > 0 && (
        <BulkBar<Name | typeof tagging>
          status={statusOf?.(status) ?? status}
          count={selected.length}
          actions={[...actions, ...(tagKeyOf === undefined ? [] : [[tagging, t("Tags")] as const])]}
          clear={clear}
          choose={open}
        />
      )}
      {shown.length === 0
        ? empty
        : (
          <FleetTable
            {...{ columns, keyOf, label, onSort, selection, sortedBy }}
            rows={shown}
            sort={sortOf(view, sortedBy)}
            groupBy={view.group}
          />
        )}
      <Suspense fallback={null}>
        {dialog === tagging
          ? tagKeyOf !== undefined && (
            <TagsDialog
              tagged={table === "vaults" ? "vaults" : "bots"}
              keys={selected.map(tagKeyOf)}
              what={countOf(selected.length)}
              close={close}
            />
          )
          : dialog !== undefined && children?.(dialog, selected, close)}
      </Suspense>
    </>
  )
}
