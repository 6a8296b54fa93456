/** The tags of a vault or a bot on its page, with the dialog that changes them. */
import { Badge, Button } from "@mantine/core"
import { lazy, Suspense } from "react"
import { useDialog } from "../shell/useDialog.ts"
import { type Tagged, useTags } from "./Tags.ts"
import { t } from "../text/Text.ts"

const TagsDialog = lazy(() => import("./TagsDialog.tsx").then(({ TagsDialog }) => ({ default: TagsDialog })))

export function TagLine({ name, tagged, tagKey }: {
  readonly tagged: Tagged
  readonly tagKey: string
  /** The vault's or the bot's name. */
  readonly name: string
}) {
  const tags = useTags(tagged).tagsOf(tagKey)
  const { close, dialog, open } = useDialog<"tags">()
  return (
    <>
      {tags.map((tag) => <Badge key={tag} variant="default">{tag}</Badge>)}
      <Button size="compact-sm" variant="subtle" onClick={() => open("tags")}>{t("Tags")}</Button>
      <Suspense fallback={null}>
        {dialog === "tags" && <TagsDialog tagged={tagged} keys={[tagKey]} what={name} close={close} />}
      </Suspense>
    </>
  )
}
