/** The content of a list or a chart that has nothing yet: what would be here, and how to get it. */
import { Stack, Text, ThemeIcon, Title } from "@mantine/core"
import type { ReactNode } from "react"

export function EmptyState({ action, children, icon, title }: {
  readonly title: string
  readonly icon: ReactNode
  readonly children: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <Stack align="center" gap={6} py="xl" px="md" ta="center">
      <ThemeIcon size={44} radius="xl" variant="light" aria-hidden="true">{icon}</ThemeIcon>
      <Title order={3} size="h4">{title}</Title>
      <Text size="sm" c="dimmed" maw={420}>{children}</Text>
      {action !== undefined && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  )
}
