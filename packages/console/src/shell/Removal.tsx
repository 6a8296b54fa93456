/** Removes a thing after a confirmation that says what stays, and opens the list that it was in. */
import { Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { queries } from "../connection/QueryCache.ts"
import { Confirm } from "./Confirm.tsx"
import { showSuccess } from "./Notices.ts"

export function Removal({ action = "Remove", children, close, remove, title, to }: {
  readonly title: string
  readonly action?: string
  readonly children: ReactNode
  readonly remove: () => Promise<{ readonly message: string }>
  readonly close: () => void
  /** The list. */
  readonly to: string
}) {
  const navigate = useNavigate()
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: ({ message }) => {
      showSuccess(message)
      close()
      void navigate({ to })
    },
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Confirm
      title={title}
      action={action}
      close={close}
      loading={removing.isPending}
      problem={removing.error}
      onConfirm={() => removing.mutate()}
    >
      <Text size="sm" component="div">{children}</Text>
    </Confirm>
  )
}
