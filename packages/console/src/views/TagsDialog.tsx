/** Gives tags to vaults or bots and takes them away; each choice holds at once. */
import { Button, Checkbox, Group, Stack, Text } from "@mantine/core"
import { useState } from "react"
import { NameForm } from "./NameForm.tsx"
import { cleanedTag, maxTag, type Tagged, useTags } from "./Tags.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

export function TagsDialog({ close, keys, tagged, what }: {
  readonly tagged: Tagged
  readonly keys: ReadonlyArray<string>
  /** Names the things in the title. */
  readonly what: string
  readonly close: () => void
}) {
  const { all, change, tagsOf } = useTags(tagged)
  const [added, setAdded] = useState(0)
  // A tag that was taken from everything can be chosen again until the dialog is closed.
  const [listed, setListed] = useState(all)
  return (
    <Modal opened onClose={close} title={t("Tags of {what}", { what })} closeButtonProps={{ "aria-label": t("Close") }}>
      <Stack>
        <Text size="sm">
          {t(
            "Tags are your own labels, to search, filter and group by. They are stored in this browser, for " +
              "your account."
          )}
        </Text>
        <NameForm
          key={added}
          label={t("New tag")}
          action={t("Add")}
          first=""
          most={maxTag}
          save={(name) => {
            const tag = cleanedTag(name)
            change(keys, tag, true)
            if (!listed.includes(tag)) {
              setListed([...listed, tag])
            }
            setAdded(added + 1)
          }}
        />
        {listed.map((tag) => {
          const count = keys.filter((key) =>
            tagsOf(key).includes(tag)
          ).length
          return (
            <Checkbox
              key={tag}
              label={tag}
              checked={count === keys.length}
              indeterminate={count > 0 && count < keys.length}
              onChange={(event) => change(keys, tag, event.currentTarget.checked)}
            />
          )
        })}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>{t("Done")}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
