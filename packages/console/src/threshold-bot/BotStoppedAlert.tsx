/** Explains why a set bot does nothing: it paused itself or a kill switch stops it. Offers to resume it. */
import { Alert, Button, Group, Text } from "@mantine/core"

/** `reset` sets the bot again with the same terms, which ends its pause. */
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
          <Text size="sm">Fix the cause first (gas, the vault’s trader, its assets), then let it try again.</Text>
          <Group mt="xs">
            <Button size="xs" color="red" loading={resetting} onClick={reset}>Let it try again</Button>
          </Group>
        </Alert>
      )}
      {kill_switch !== null && <Alert color="red" title="Stopped">{kill_switch}. It cannot sign anything.</Alert>}
    </>
  )
}
