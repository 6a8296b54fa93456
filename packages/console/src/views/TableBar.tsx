/** The controls above a table: search, filters, groups and saved views. */
import { NativeSelect, TextInput } from "@mantine/core"
import { IconSearch } from "@tabler/icons-react"
import { type ReactNode, useEffect, useRef, useState } from "react"
import type { FleetColumn } from "../shell/FleetTable.tsx"
import type { TableName } from "./SavedViews.ts"
import type { TableView } from "./TableView.ts"
import { ViewSelect } from "./ViewSelect.tsx"
import { t } from "../text/Text.ts"

/** How long typing may pause until the URL, and with it the table, follows. */
const settleMillis = 120

/** A text field whose value is in the page's URL. */
function SearchField({ onChange, placeholder, value }: {
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const [text, setText] = useState(value)
  const given = useRef(value)
  // A saved view or the browser's Back changed it.
  useEffect(() => {
    if (value !== given.current) setText(value)
    given.current = value
  }, [value])
  useEffect(() => {
    if (text === given.current) return undefined
    const timer = setTimeout(() => {
      given.current = text
      onChange(text)
    }, settleMillis)
    return () => clearTimeout(timer)
  }, [text, onChange])
  return (
    <TextInput
      label={t("Search")}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      style={{ flex: "1 1 200px" }}
    />
  )
}

export function TableBar<Row>({ children, columns, placeholder, replace, set, table, view }: {
  readonly table: TableName
  readonly placeholder: string
  readonly columns: ReadonlyArray<FleetColumn<Row>>
  readonly view: TableView
  readonly set: (some: TableView) => void
  readonly replace: (view: TableView) => void
  /** The table's own filters. */
  readonly children?: ReactNode
}) {
  const search = useRef(set)
  search.current = set
  const [onSearch] = useState(() => (q: string) => search.current({ q }))
  return (
    <div className="table-bar">
      <SearchField placeholder={placeholder} value={view.q ?? ""} onChange={onSearch} />
      {children}
      <NativeSelect
        label={t("Group by")}
        value={view.group ?? ""}
        data={[
          { value: "", label: t("Nothing") },
          ...columns.flatMap(({ group, id, label }) => group === undefined ? [] : [{ value: id, label }])
        ]}
        onChange={(event) => set({ group: event.currentTarget.value })}
      />
      <ViewSelect table={table} view={view} replace={replace} />
    </div>
  )
}

/** Returns a function that returns true if a text in lower case contains every word of the view's search. */
export const matcherOf = ({ q = "" }: TableView) => {
  const words = q.toLowerCase().split(/\s+/).filter((word) => word !== "")
  return (text: string): boolean => words.every((word) => text.includes(word))
}

/** A filter by network. */
export function NetworkFilter({ names, set, view }: {
  readonly names: ReadonlyArray<{ readonly value: string; readonly label: string }>
  readonly view: TableView
  readonly set: (some: TableView) => void
}) {
  return (
    <NativeSelect
      label={t("Network")}
      value={view.network ?? ""}
      data={[{ value: "", label: t("All networks") }, ...names]}
      onChange={(event) => set({ network: event.currentTarget.value })}
    />
  )
}
