/** A part of a page with a title, and a way to its whole. */
import { Card, Group, Title } from "@mantine/core"
import type { ReactNode } from "react"

export function Section({ action, children, title }: {
  readonly title: string
  readonly action?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">{title}</Title>
        {action}
      </Group>
      {children}
    </Card>
  )
}
