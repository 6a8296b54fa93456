/** A page with its title, the age of its data, and loading and error states. */
import { Alert, Badge, Group, Loader, Stack, Text, Title } from "@mantine/core"
import { useInterval } from "@mantine/hooks"
import { type ReactNode, useEffect, useState } from "react"
import { Disconnected } from "../connection/RpcConnection.ts"

interface QueryState {
  readonly isPending: boolean
  readonly error: Error | null
  readonly dataUpdatedAt: number
}

/**
 * The service confirms current data every ten seconds. Without confirmation for this many milliseconds, it may be
 * outdated.
 */
const staleAfter = 30_000

const ageOf = (millis: number) => {
  const seconds = Math.max(0, Math.round(millis / 1000))
  return seconds < 60
    ? `${seconds} s`
    : seconds < 3600
    ? `${Math.floor(seconds / 60)} min`
    : `${Math.floor(seconds / 3600)} h`
}

function Age({ at }: { readonly at: number }) {
  const [now, setNow] = useState(() => Date.now())
  const clock = useInterval(() => setNow(Date.now()), 1000)
  useEffect(() => {
    clock.start()
    return clock.stop
  }, [])
  const stale = now - at > staleAfter
  return (
    <Text size="sm" c={stale ? "var(--mantine-color-error)" : "dimmed"}>
      {stale ? "Old: " : ""}updated {ageOf(now - at)} ago
    </Text>
  )
}

/** Shows failures other than a lost connection, which reconnects automatically. */
function ErrorAlert({ error, hasData }: { readonly error: Error; readonly hasData: boolean }) {
  return (
    <Alert color="red" role="alert" title={hasData ? "The data shown is outdated" : "This cannot be loaded right now"}>
      {error.message} No funds moved.
    </Alert>
  )
}

export function Page({ actions, query, children, choice, title }: {
  readonly title: string
  readonly query: QueryState
  readonly actions?: ReactNode
  /** Controls that select the data; they stay visible while it loads. */
  readonly choice?: ReactNode
  readonly children: ReactNode
}) {
  const hasData = query.dataUpdatedAt > 0
  const isReconnecting = hasData && query.error instanceof Disconnected
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">{title}</Title>
        <Group>
          {isReconnecting && <Badge color="orange" variant="dot" role="status">reconnecting</Badge>}
          {hasData && <Age at={query.dataUpdatedAt} />}
          {actions}
        </Group>
      </Group>
      {choice}
      {query.error !== null && !isReconnecting && <ErrorAlert error={query.error} hasData={hasData} />}
      {query.isPending ? <Loader aria-label="Loading" /> : children}
    </Stack>
  )
}
