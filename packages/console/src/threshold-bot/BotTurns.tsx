/** What a vault's threshold bots did, turn by turn; on paper, what they would have done. */
import { Alert, Badge, Card, Group, Loader, Modal, Stack, Text } from "@mantine/core"
import { moment } from "../shell/Figures.ts"
import { Transaction } from "../shell/Transaction.tsx"
import { placeOf } from "../vault/Place.ts"
import { type Bot, useTurns } from "../bots/Bots.ts"

const colours = { pending: "blue", success: "green", fail: "red" } as const
const words = { pending: "under way", success: "done", fail: "failed" } as const

export function BotTurns({ bot, close }: { readonly bot: Bot; readonly close: () => void }) {
  const turns = useTurns(placeOf(bot))
  return (
    <Modal opened onClose={close} size="lg" title={bot.paper ? "What it would have traded" : "What it did"} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="xs">
        <Text size="sm">
          The last turns of this vault’s threshold bots, newest first.
          {bot.paper && " On paper it decides on live prices, records what it would have traded, and sends nothing."}
        </Text>
        {turns.error !== null && <Alert color="red" role="alert" title="The turns cannot be shown now">{turns.error.message}</Alert>}
        {turns.isPending && <Loader aria-label="Loading" />}
        {turns.data?.length === 0 && <Text size="sm">No turn yet: it has had nothing to do.</Text>}
        {turns.data?.map((turn) => (
          <Card withBorder key={turn.intent_id} padding="xs" component="article">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Text size="sm" style={{ overflowWrap: "anywhere" }}>{turn.message}</Text>
              <Badge style={{ flexShrink: 0 }} color={colours[turn.status]} variant={turn.status === "success" ? "dot" : "filled"}>{words[turn.status]}</Badge>
            </Group>
            <Group gap="xs">
              <Text size="sm" c="dimmed">{moment(turn.created_at)}</Text>
              {turn.tx_hash !== null && <Transaction network={turn.network} hash={turn.tx_hash} />}
            </Group>
          </Card>
        ))}
      </Stack>
    </Modal>
  )
}
