/** A failure as a summary: what happened and whether money moved. What the service said beyond that is behind a button. */
import { Alert, Button, Group, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconAlertTriangle } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { summaryOf } from "./Format.ts"
import { t } from "../text/Text.ts"

export function Problem({ action, color = "red", funds = t("No funds moved."), message, title }: {
  readonly title: string
  readonly message: string
  /** Says whether money moved; empty where the message says it. */
  readonly funds?: string
  readonly color?: "red" | "orange"
  /** The one button that helps. */
  readonly action?: ReactNode
}) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const { details, summary } = summaryOf(message)
  return (
    <Alert color={color} role="alert" title={title} icon={<IconAlertTriangle size={18} aria-hidden="true" />}>
      <Text size="sm">{summary} {/funds moved|nothing was/i.test(message) ? "" : funds}</Text>
      {(details !== "" || action !== undefined) && (
        <Group gap="xs" mt={6}>
          {action}
          {details !== "" && (
            <Button size="compact-xs" variant="default" onClick={toggle} aria-expanded={isOpen}>
              {isOpen ? t("Hide details") : t("Details")}
            </Button>
          )}
        </Group>
      )}
      {isOpen && <Text size="xs" mt={6} ff="monospace" style={{ overflowWrap: "anywhere" }}>{details}</Text>}
    </Alert>
  )
}
