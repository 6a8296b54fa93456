/** Confirms an irreversible action: the name must be typed to enable the button. Cancel has the focus. */
import { Alert, Button, Group, Stack, TextInput } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { Modal } from "./Modal.tsx"
import { t } from "../text/Text.ts"

export function TypeToConfirm({ action, children, close, loading, name, onConfirm, problem, title }: {
  readonly title: string
  /** The text to type. */
  readonly name: string
  readonly action: string
  readonly children: ReactNode
  readonly loading: boolean
  readonly problem: Error | null
  readonly close: () => void
  readonly onConfirm: () => void
}) {
  const [text, setText] = useState("")
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ "aria-label": t("Close") }}>
      <Stack>
        {children}
        <TextInput
          label={t("Type {name} to confirm", { name })}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
        />
        {problem !== null && <Alert color="red" role="alert" title={t("It was not done")}>{problem.message}</Alert>}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>{t("Cancel")}</Button>
          <Button color="red" disabled={text.trim() !== name} loading={loading} onClick={onConfirm}>{action}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
