/** Changes or removes a thing after a confirmation that says what changes and what stays. */
import { Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { queries } from "../connection/QueryCache.ts"
import { Confirm } from "./Confirm.tsx"
import { showSuccess } from "./Notices.ts"
import { t } from "../text/Text.ts"

export function ConfirmedChange({ action = t("Remove"), change, children, close, title, to }: {
  readonly title: string
  readonly action?: string
  readonly children: ReactNode
  readonly change: () => Promise<{ readonly message: string }>
  readonly close: () => void
  /** The list that is opened afterwards, of a thing that is gone. */
  readonly to?: string
}) {
  const navigate = useNavigate()
  const changing = useMutation({
    mutationFn: change,
    onSuccess: ({ message }) => {
      showSuccess(message)
      close()
      if (to !== undefined) void navigate({ to })
    },
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Confirm
      title={title}
      action={action}
      close={close}
      loading={changing.isPending}
      problem={changing.error}
      onConfirm={() => changing.mutate()}
    >
      <Text size="sm" component="div">{children}</Text>
    </Confirm>
  )
}
