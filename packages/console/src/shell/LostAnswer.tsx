/** Warns in a form that an earlier request of its kind may have been done: its answer was lost. */
import { Alert } from "@mantine/core"
import { t } from "../text/Text.ts"

export function LostAnswer({ isSame, what }: {
  /** The earlier request, in words. */
  readonly what: string
  /** True while the form holds exactly that request. */
  readonly isSame: boolean
}) {
  return (
    <Alert color="orange" title={t("The answer to your last request was lost")} role="status">
      {isSame
        ? t("{what}: it may have been done. Send it unchanged to learn its outcome; it is done once.", { what })
        : t("{what}: it may have been done. What you send now is another request.", { what })}
    </Alert>
  )
}
