/** How many rows of a table are selected, and what can be done with them. */
import { Button, Group, Text } from "@mantine/core"
import { locale, t } from "../text/Text.ts"

export function BulkBar<Name extends string>({ actions, choose, clear, count, status }: {
  /** The table's status without a selection. */
  readonly status: string
  readonly count: number
  readonly actions: ReadonlyArray<readonly [name: Name, label: string]>
  readonly choose: (name: Name) => void
  readonly clear: () => void
}) {
  return (
    <Group gap="xs" mb={6} mih={30}>
      <Text size="sm" c="dimmed" role="status">
        {count === 0 ? status : t("{count} selected", { count: count.toLocaleString(locale) })}
      </Text>
      {count > 0 && (
        <Group gap={6} role="group" aria-label={t("Selected")}>
          {actions.map(([name, label]) => (
            <Button
              key={name}
              size="compact-sm"
              variant="default"
              onClick={() => choose(name)}
            >
              {label}
            </Button>
          ))}
          <Button size="compact-sm" variant="subtle" onClick={clear}>{t("Clear")}</Button>
        </Group>
      )}
    </Group>
  )
}
