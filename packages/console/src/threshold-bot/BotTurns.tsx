/** The turns of a vault's threshold bots; on paper, what they would have traded. */
import { Alert, Badge, Card, Group, Loader, Stack, Text } from "@mantine/core"
import { moment } from "../shell/Format.ts"
import { Transaction } from "../shell/Transaction.tsx"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { type Bot, useTurns } from "../bots/Bots.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const colours = { pending: "blue", success: "green", fail: "red" } as const
const statusLabels = { pending: t("in progress"), success: t("done"), fail: t("failed") } as const

export function BotTurns({ bot, close }: { readonly bot: Bot; readonly close: () => void }) {
  const turns = useTurns(vaultRefOf(bot))
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={bot.paper ? t("Paper trades") : t("Decisions")}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <Stack gap="xs">
        <Text size="sm">
          {t("The latest decisions of this vault’s threshold bots, newest first.")}
          {bot.paper && ` ${t("On paper, it decides on live prices, records the trades and sends nothing.")}`}
        </Text>
        {turns.error !== null && (
          <Alert color="red" role="alert" title={t("The decisions cannot be loaded right now")}>
            {turns.error.message}
          </Alert>
        )}
        {turns.isPending && <Loader aria-label={t("Loading")} />}
        {turns.data?.length === 0 && <Text size="sm">{t("No decisions yet: there was nothing to do.")}</Text>}
        {turns.data?.map((turn) => (
          <Card withBorder key={turn.intent_id} padding="xs" component="article">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Text size="sm" style={{ overflowWrap: "anywhere" }}>{turn.message}</Text>
              <Badge
                style={{ flexShrink: 0 }}
                color={colours[turn.status]}
                variant={turn.status === "success" ? "dot" : "filled"}
              >
                {statusLabels[turn.status]}
              </Badge>
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
