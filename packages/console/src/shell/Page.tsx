/** A page: its title, how old what it shows is, and what is to be said when there is nothing, or when it does not come. */
import { Alert, Group, Loader, Stack, Text, Title } from "@mantine/core"
import { useInterval } from "@mantine/hooks"
import { type ReactNode, useEffect, useState } from "react"

interface Asked {
  readonly isPending: boolean
  readonly error: Error | null
  readonly dataUpdatedAt: number
}

const ageOf = (millis: number) => {
  const seconds = Math.max(0, Math.round(millis / 1000))
  return seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}

function Age({ at }: { readonly at: number }) {
  const [now, setNow] = useState(() => Date.now())
  const clock = useInterval(() => setNow(Date.now()), 1000)
  useEffect(() => {
    clock.start()
    return clock.stop
  }, [])
  const stale = now - at > 30_000
  return <Text size="sm" c={stale ? "var(--mantine-color-error)" : "dimmed"}>{stale ? "Old: " : ""}updated {ageOf(now - at)} ago</Text>
}

export function Page({ actions, asked, children, title }: {
  readonly title: string
  readonly asked: Asked
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">{title}</Title>
        <Group>
          {asked.dataUpdatedAt > 0 && <Age at={asked.dataUpdatedAt} />}
          {actions}
        </Group>
      </Group>
      {asked.error !== null && (
        <Alert color="red" role="alert" title={asked.dataUpdatedAt > 0 ? "What you see is old" : "This cannot be shown now"}>
          {asked.error.message} Looking changes nothing: no funds moved.
        </Alert>
      )}
      {asked.isPending ? <Loader aria-label="Loading" /> : children}
    </Stack>
  )
}
