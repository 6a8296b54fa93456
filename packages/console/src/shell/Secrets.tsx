/**
 * Shows secrets once. They exist only in this dialog: not in the cache, in storage or in the URL. They are masked until
 * revealed, and the dialog closes only after the manager confirms that they are stored.
 */
import { Alert, Button, Checkbox, Code, CopyButton, Group, Stack, Text, VisuallyHidden } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { Modal } from "./Modal.tsx"
import { t } from "../text/Text.ts"

interface Secret {
  readonly name: string
  readonly value: string
}

const mask = "•".repeat(24)

function SecretField({ name, value }: Secret) {
  const [isRevealed, setRevealed] = useState(false)
  return (
    <Stack gap={4}>
      <Text fw={500}>{name}</Text>
      <Code block style={{ wordBreak: "break-all", whiteSpace: "pre-wrap" }}>{isRevealed ? value : mask}</Code>
      <Group gap="xs">
        <Button size="xs" variant="default" aria-pressed={isRevealed} onClick={() => setRevealed(!isRevealed)}>
          {isRevealed ? t("Hide {name}", { name }) : t("Reveal {name}", { name })}
        </Button>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <>
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? t("Copied {name}", { name }) : t("Copy {name}", { name })}
              </Button>
              <VisuallyHidden aria-live="polite">{copied ? t("{name} copied", { name }) : ""}</VisuallyHidden>
            </>
          )}
        </CopyButton>
      </Group>
    </Stack>
  )
}

const download = (file: string, secrets: ReadonlyArray<Secret>) => {
  const url = URL.createObjectURL(
    new Blob([secrets.map(({ name, value }) => `${name}: ${value}\n`).join("")], { type: "text/plain" })
  )
  const link = document.createElement("a")
  link.href = url
  link.download = file
  link.click()
  URL.revokeObjectURL(url)
}

export function Secrets({ about, children, close, file, secrets, title }: {
  readonly title: string
  /** Names the thing whose secrets they are. */
  readonly about: Secret
  /** The name of the file in which they are downloaded. */
  readonly file: string
  readonly secrets: ReadonlyArray<Secret>
  /** How they are used, below them. */
  readonly children?: ReactNode
  readonly close: () => void
}) {
  const [isStored, setStored] = useState(false)
  return (
    <Modal
      opened
      onClose={() => {
        if (isStored) close()
      }}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="orange" title={t("Shown once")}>
          {secrets.length > 1
            ? t(
              "The service cannot show these again. Keep both on a server or in a password manager, never in a " +
                "browser or a public repository."
            )
            : t(
              "The service cannot show this again. Keep it on a server or in a password manager, never in a " +
                "browser or a public repository."
            )}
        </Alert>
        <Text size="sm">
          {about.name} <Code style={{ wordBreak: "break-all" }}>{about.value}</Code>
        </Text>
        {secrets.map((secret) => <SecretField key={secret.name} {...secret} />)}
        <Button variant="default" onClick={() => download(file, [about, ...secrets])}>
          {t("Download as a file")}
        </Button>
        {children}
        <Checkbox
          label={secrets.length > 1 ? t("I stored both") : t("I stored it")}
          checked={isStored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!isStored} onClick={close}>{t("Close")}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
