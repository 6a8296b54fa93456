/** Confirms an action that moves funds or lets others move them, with its decoded effects. Cancel has the focus. */
import { Button, Group, Stack } from "@mantine/core"
import type { ReactNode } from "react"
import { Modal } from "./Modal.tsx"
import { isLost } from "../connection/RpcConnection.ts"
import { Problem } from "./Problem.tsx"
import { t } from "../text/Text.ts"

export function Confirm(
  { action, cancel = t("Cancel"), children, close, disabled = false, loading, onConfirm, problem, title }: {
    readonly title: string
    readonly action: string
    readonly cancel?: string | undefined
    readonly children: ReactNode
    readonly loading: boolean
    readonly disabled?: boolean
    readonly problem: Error | null
    readonly close: () => void
    readonly onConfirm: () => void
  }
) {
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <Stack>
        {children}
        {problem !== null && (
          <Problem
            title={isLost(problem) ? t("It is not known whether it was done") : t("It was not done")}
            message={problem.message}
            funds=""
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>{cancel}</Button>
          <Button disabled={disabled} loading={loading} onClick={onConfirm}>{action}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
