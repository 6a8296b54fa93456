/**
 * The view of a table: search, filters, order and groups. All of it is in the page's URL, so that a view can be
 * bookmarked, shared and saved under a name.
 */
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useCallback, useMemo } from "react"
import type { TableSort } from "../shell/FleetTable.tsx"

const names = ["q", "state", "network", "tag", "show", "sort", "group"] as const

/** `q` is searched for; `sort` is a column, with "-" before it for the largest first; `group` is a column. */
export type TableView = Readonly<Partial<Record<typeof names[number], string | undefined>>>

/** Parses the view in a URL or in the browser's storage; ignores unusable values. */
export const viewOf = (
  search: Readonly<Record<string, unknown>>
): Readonly<Partial<Record<typeof names[number], string>>> =>
  Object.fromEntries(names.flatMap((name) => {
    const value = search[name]
    return (typeof value === "string" || typeof value === "number") && value !== ""
      ? [[name, String(value).slice(0, 100)]]
      : []
  }))

/** Returns a text that is the same for the same view. */
export const idOf = (view: TableView): string => JSON.stringify(names.map((name) => view[name] ?? ""))

export const sortOf = ({ sort }: TableView, byDefault: TableSort): TableSort =>
  sort === undefined ? byDefault : { id: sort.replace(/^-/, ""), isDescending: sort.startsWith("-") }

export const sortText = ({ id, isDescending }: TableSort): string => isDescending ? `-${id}` : id

/**
 * Reads the page's view from its URL. `set` changes some of it, `replace` all of it. `fixed` is what the URL contains
 * besides.
 */
export const useTableView = (fixed: Readonly<Record<string, string>> = {}) => {
  const search: unknown = useSearch({ strict: false })
  const id = idOf(viewOf(search as Readonly<Record<string, unknown>>))
  const view = useMemo(() => viewOf(search as Readonly<Record<string, unknown>>), [id])
  const navigate = useNavigate()
  const replace = useCallback((next: TableView) => {
    // The router does not know the page's parameters outside of its route.
    const all = { ...fixed, ...viewOf(next) } as never
    void navigate({ to: ".", search: all, replace: true, resetScroll: false })
  }, [navigate, JSON.stringify(fixed)])
  const set = useCallback((some: TableView) => replace({ ...view, ...some }), [view, replace])
  return { view, set, replace }
}
