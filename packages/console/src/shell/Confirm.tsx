/** Confirms an action that moves funds or lets others move them, with its decoded effects. Cancel has the focus. */
import { Alert, Button, Group, Modal, Stack } from "@mantine/core"
import type { ReactNode } from "react"

export function Confirm({ action, children, close, disabled = false, loading, onConfirm, problem, title }: {
  readonly title: string
  readonly action: string
  readonly children: ReactNode
  readonly loading: boolean
  readonly disabled?: boolean
  readonly problem: Error | null
  readonly close: () => void
  readonly onConfirm: () => void
}) {
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack>
        {children}
        {problem !== null && <Alert color="red" role="alert" title="It was not done">{problem.message}</Alert>}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>Cancel</Button>
          <Button disabled={disabled} loading={loading} onClick={onConfirm}>{action}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
