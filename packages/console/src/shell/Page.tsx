/** A page: its title, how old what it shows is, and what is to be said when there is nothing, or when it does not come. */
import { Alert, Badge, Group, Loader, Stack, Text, Title } from "@mantine/core"
import { useInterval } from "@mantine/hooks"
import { type ReactNode, useEffect, useState } from "react"
import { Disconnected } from "../connection/RpcConnection.ts"

interface Asked {
  readonly isPending: boolean
  readonly error: Error | null
  readonly dataUpdatedAt: number
}

/** The service says every ten seconds that what it told is still true; this long without a word, and it may not be. Milliseconds. */
const staleAfter = 30_000

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
  const stale = now - at > staleAfter
  return <Text size="sm" c={stale ? "var(--mantine-color-error)" : "dimmed"}>{stale ? "Old: " : ""}updated {ageOf(now - at)} ago</Text>
}

/** What failed where that does not mend itself, as a broken connection does. */
function Trouble({ error, shown }: { readonly error: Error; readonly shown: boolean }) {
  return (
    <Alert color="red" role="alert" title={shown ? "What you see is old" : "This cannot be shown now"}>
      {error.message} Looking changes nothing: no funds moved.
    </Alert>
  )
}

export function Page({ actions, asked, children, choice, title }: {
  readonly title: string
  readonly asked: Asked
  readonly actions?: ReactNode
  /** What decides about what is asked for: it stays while the answer is on its way. */
  readonly choice?: ReactNode
  readonly children: ReactNode
}) {
  const shown = asked.dataUpdatedAt > 0
  const broken = shown && asked.error instanceof Disconnected
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">{title}</Title>
        <Group>
          {broken && <Badge color="orange" variant="dot" role="status">reconnecting</Badge>}
          {shown && <Age at={asked.dataUpdatedAt} />}
          {actions}
        </Group>
      </Group>
      {choice}
      {asked.error !== null && !broken && <Trouble error={asked.error} shown={shown} />}
      {asked.isPending ? <Loader aria-label="Loading" /> : children}
    </Stack>
  )
}
