/** The saved views of a table, to choose from, and the dialog that saves, renames and deletes them. */
import { Button, Group, NativeSelect } from "@mantine/core"
import { lazy, Suspense } from "react"
import { useDialog } from "../shell/useDialog.ts"
import { savedAs, tableLabels, type TableName, useSavedViews } from "./SavedViews.ts"
import { idOf, type TableView } from "./TableView.ts"
import { t } from "../text/Text.ts"

const ViewsDialog = lazy(() => import("./ViewsDialog.tsx").then(({ ViewsDialog }) => ({ default: ViewsDialog })))

/** The values of the two choices that are not a saved view's name, which is never empty or a blank. */
const [everything, unsaved] = ["", " "] as const

export function ViewSelect({ replace, table, view }: {
  readonly table: TableName
  readonly view: TableView
  readonly replace: (view: TableView) => void
}) {
  const { store, views } = useSavedViews(table)
  const { close, dialog, open } = useDialog<"views">()
  const current = savedAs(views, view)?.name ?? (idOf(view) === idOf({}) ? everything : unsaved)
  return (
    <Group gap={6} align="flex-end" wrap="nowrap">
      <NativeSelect
        label={t("View")}
        value={current}
        data={[
          { value: everything, label: tableLabels[table].all },
          ...views.map(({ name }) => ({ value: name, label: name })),
          ...(current === unsaved ? [{ value: unsaved, label: t("Not saved") }] : [])
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value !== unsaved) replace(views.find(({ name }) => name === value)?.view ?? {})
        }}
      />
      <Button variant="default" onClick={() => open("views")}>{t("Views")}</Button>
      <Suspense fallback={null}>
        {dialog === "views" && <ViewsDialog {...{ close, replace, store, table, view, views }} />}
      </Suspense>
    </Group>
  )
}
