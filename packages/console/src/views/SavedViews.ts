/** The views of a table that a manager saved under a name. They are in the browser's storage, for each account. */
import { useMemo } from "react"
import { useSession } from "../connection/Session.ts"
import { idOf, type TableView, viewOf } from "./TableView.ts"
import { useStored } from "./useStored.ts"
import { t } from "../text/Text.ts"

export interface SavedView {
  readonly name: string
  readonly view: TableView
}

/** The tables whose views can be saved, as their pages' paths name them. */
export type TableName = "bots" | "orders" | "vaults"

export const tableLabels: Readonly<Record<TableName, { readonly all: string; readonly views: string }>> = {
  bots: { all: t("All bots"), views: t("Views of bots") },
  orders: { all: t("All orders"), views: t("Views of orders") },
  vaults: { all: t("All vaults"), views: t("Views of vaults") }
}

const maxViews = 50
export const maxName = 40

/** Parses stored views: names, each with the query of its view. Ignores what is not one. */
export const parseViews = (text: string): ReadonlyArray<SavedView> =>
  [...new URLSearchParams(text)].flatMap(([name, query]) =>
    name.trim() === ""
      ? []
      : [{ name: name.slice(0, maxName), view: viewOf(Object.fromEntries(new URLSearchParams(query))) }]
  ).slice(0, maxViews)

/** Formats views as they are stored. */
export const viewsText = (views: ReadonlyArray<SavedView>): string =>
  new URLSearchParams(
    views.map(({ name, view }) => [name, new URLSearchParams(Object.entries(viewOf(view))).toString()])
  ).toString()

/** Adds a view, in place of one with the same name. */
export const withView = (views: ReadonlyArray<SavedView>, added: SavedView): ReadonlyArray<SavedView> =>
  [...views.filter(({ name }) => name !== added.name), added].sort((one, other) =>
    one.name.localeCompare(other.name, "en")
  ).slice(0, maxViews)

/** Returns the saved view that shows the same as this one. */
export const savedAs = (views: ReadonlyArray<SavedView>, view: TableView): SavedView | undefined =>
  views.find((each) => idOf(each.view) === idOf(view))

export const useSavedViews = (table: TableName) => {
  const manager = useSession().data?.manager ?? ""
  const [text, store] = useStored(`vault-trader/views/${manager.toLowerCase()}/${table}`)
  return {
    views: useMemo(() => parseViews(text), [text]),
    store: (changed: ReadonlyArray<SavedView>) => store(viewsText(changed))
  }
}
