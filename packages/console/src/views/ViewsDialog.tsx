/** Saves the view that is shown under a name; renames, shares and deletes saved ones. */
import { ActionIcon, Alert, Button, CopyButton, Group, Stack, Text } from "@mantine/core"
import { IconCheck, IconLink, IconPencil, IconTrash } from "@tabler/icons-react"
import { useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { NameForm } from "./NameForm.tsx"
import { maxName, type SavedView, savedAs, type TableName, withView, tableLabels } from "./SavedViews.ts"
import type { TableView } from "./TableView.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

interface Views {
  readonly table: TableName
  readonly view: TableView
  readonly views: ReadonlyArray<SavedView>
  readonly store: (views: ReadonlyArray<SavedView>) => void
  readonly replace: (view: TableView) => void
  readonly close: () => void
}

function Saved({ each, link, open, remove, rename }: {
  readonly each: SavedView
  readonly link: string
  readonly open: () => void
  readonly rename: () => void
  readonly remove: () => void
}) {
  return (
    <Group gap={6} wrap="nowrap" justify="space-between">
      <Button variant="subtle" size="compact-md" onClick={open} style={{ minWidth: 0 }}>{each.name}</Button>
      <Group gap={6} wrap="nowrap">
        <CopyButton value={link}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="default"
              size="lg"
              onClick={copy}
              aria-label={copied ? t("Link copied") : t("Copy the link to {name}", { name: each.name })}
            >
              {copied ? <IconCheck size={16} /> : <IconLink size={16} />}
            </ActionIcon>
          )}
        </CopyButton>
        <ActionIcon variant="default" size="lg" onClick={rename} aria-label={t("Rename {name}", { name: each.name })}>
          <IconPencil size={16} />
        </ActionIcon>
        <ActionIcon variant="default" size="lg" onClick={remove} aria-label={t("Delete {name}", { name: each.name })}>
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
    </Group>
  )
}

export function ViewsDialog({ close, replace, store, table, view, views }: Views) {
  const [renamed, setRenamed] = useState<string>()
  const router = useRouter()
  const linkOf = (saved: TableView): string => {
    // As `useTableView`: the router does not know the page's parameters outside of its route.
    const search = { ...(table === "bots" ? { kind: "all" } : {}), ...saved } as never
    return `${location.origin}${router.buildLocation({ to: `/${table}`, search }).href}`
  }
  const without = (name: string) => views.filter((each) => each.name !== name)
  const current = savedAs(views, view)
  return (
    <Modal
      opened
      onClose={close}
      title={tableLabels[table].views}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <Stack>
        <Text size="sm">
          {t(
            "A view is the search, the filters, the order and the groups of the table. Views are stored in " +
              "this browser, for your account."
          )}
        </Text>
        {current === undefined
          ? (
            <NameForm
              most={maxName}
              label={t("Save the table as it is now, as")}
              action={t("Save")}
              first=""
              save={(name) => store(withView(views, { name, view }))}
            />
          )
          : <Alert color="blue" role="status">{t("The table is shown as “{name}”.", { name: current.name })}</Alert>}
        {views.map((each) =>
          renamed === each.name
            ? (
              <NameForm
                key={each.name}
                most={maxName}
                label={t("New name of {name}", { name: each.name })}
                action={t("Rename")}
                first={each.name}
                save={(name) => {
                  store(withView(without(each.name), { ...each, name }))
                  setRenamed(undefined)
                }}
              />
            )
            : (
              <Saved
                key={each.name}
                each={each}
                link={linkOf(each.view)}
                open={() => {
                  replace(each.view)
                  close()
                }}
                rename={() => setRenamed(each.name)}
                remove={() => store(without(each.name))}
              />
            )
        )}
      </Stack>
    </Modal>
  )
}
