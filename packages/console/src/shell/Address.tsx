/** A shortened address with the full one on hover and copy. */
import { Code, CopyButton, Group, UnstyledButton, VisuallyHidden } from "@mantine/core"
import { t } from "../text/Text.ts"

export function Address(
  { address, isWhole = false, label }: { readonly address: string; readonly label: string; readonly isWhole?: boolean }
) {
  return (
    <CopyButton value={address}>
      {({ copied, copy }) => (
        <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
          <UnstyledButton onClick={copy} title={address}>
            <VisuallyHidden>{t("Copy {label}", { label })}</VisuallyHidden>
            <Code style={{ wordBreak: "break-all" }}>
              {copied ? t("copied") : isWhole ? address : `${address.slice(0, 8)}…${address.slice(-6)}`}
            </Code>
          </UnstyledButton>
          <VisuallyHidden aria-live="polite">{copied ? t("{label} copied", { label }) : ""}</VisuallyHidden>
        </Group>
      )}
    </CopyButton>
  )
}
