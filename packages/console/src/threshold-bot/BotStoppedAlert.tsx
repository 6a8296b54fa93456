/** Why a bot does nothing though it is set: it paused itself, or somebody stopped it; and the way on. */
import { Alert, Button, Group, Text } from "@mantine/core"

/** `reset`: sets the bot again as it is, which is how it comes back from its own pause. */
export function Stopped({ kill_switch, paused_reason, reset, resetting }: {
  readonly paused_reason: string | null
  readonly kill_switch: string | null
  readonly reset: () => void
  readonly resetting: boolean
}) {
  return (
    <>
      {paused_reason !== null && (
        <Alert color="red" title="It paused itself">
          <Text size="sm">{paused_reason}</Text>
          <Text size="sm">It does nothing until it is set again. Mend the cause first: gas, the vault’s trader, its assets.</Text>
          <Group mt="xs"><Button size="xs" color="red" loading={resetting} onClick={reset}>Let it try again</Button></Group>
        </Alert>
      )}
      {kill_switch !== null && <Alert color="red" title="Stopped">{kill_switch}. Nothing is signed for it.</Alert>}
    </>
  )
}
