/** A shortened address with the full one on hover and copy. */
import { Code, CopyButton, Group, UnstyledButton, VisuallyHidden } from "@mantine/core"

export function Address(
  { of, what, whole = false }: { readonly of: string; readonly what: string; readonly whole?: boolean }
) {
  return (
    <CopyButton value={of}>
      {({ copied, copy }) => (
        <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
          <UnstyledButton onClick={copy} title={of}>
            <VisuallyHidden>Copy {what}</VisuallyHidden>
            <Code style={{ wordBreak: "break-all" }}>
              {copied ? "copied" : whole ? of : `${of.slice(0, 8)}…${of.slice(-6)}`}
            </Code>
          </UnstyledButton>
          <VisuallyHidden aria-live="polite">{copied ? `${what} copied` : ""}</VisuallyHidden>
        </Group>
      )}
    </CopyButton>
  )
}
