/** The signals that came for a vault's bots, with their results; a refused alert can be carried out after all. */
import { Alert, Badge, Button, Card, Code, Group, Loader, Stack, Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { type Bot, type SignalEntry, useSignals } from "../bots/Bots.ts"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { moment } from "../shell/Format.ts"
import { showSuccess } from "../shell/Notices.ts"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

const colours = { accepted: "green", waiting: "blue", ignored: "gray", refused: "red" } as const
const stateLabels = {
  accepted: t("accepted"),
  waiting: t("waiting"),
  ignored: t("ignored"),
  refused: t("refused")
} as const
const sources: Readonly<Record<string, string>> = {
  alert: t("Alert"),
  setBot: t("Set by hand or program"),
  replay: t("Replay")
}
const outcomes = { pending: t("in progress"), success: t("done"), fail: t("failed") } as const

/** Names a signal's result at one bot: each part is a phrase of its own. */
const resultOf = (
  { intent_id, intent_status, pair, reason, side, state, subaccount }: SignalEntry["results"][number]
) =>
  [
    ...(subaccount === null ? [] : [subaccount]),
    pair ?? t("Index"),
    side ?? t("no side"),
    stateLabels[state],
    ...(reason === null ? [] : [reason]),
    ...(intent_id === null
      ? []
      : [t("decision {id} {outcome}", { id: intent_id.slice(-6), outcome: outcomes[intent_status ?? "pending"] })])
  ].join(" · ")

function Entry({ signal, replay, isReplaying }: {
  readonly signal: SignalEntry
  readonly replay: (signal_id: string) => void
  readonly isReplaying: boolean
}) {
  const { body, reason, received_at, replayed_by, results, signal_id, source, state, token_id, truncated } = signal
  const isReplayable = (state === "refused" || state === "ignored") && replayed_by === null && token_id !== null &&
    signal.understood.side !== null
  return (
    <Card withBorder padding="xs" component="article">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" c="dimmed">{sources[source] ?? source}, {moment(received_at)}</Text>
        <Badge style={{ flexShrink: 0 }} color={colours[state]} variant={state === "accepted" ? "dot" : "filled"}>
          {stateLabels[state]}
        </Badge>
      </Group>
      <Code block tabIndex={0} style={{ whiteSpace: "pre-wrap", wordBreak: "break-all" }}>
        {body.slice(0, 300)}
        {(truncated || body.length > 300) && "…"}
      </Code>
      {reason !== null && <Text size="sm">{reason}</Text>}
      {results.map((result, index) => <Text size="sm" key={index}>{resultOf(result)}</Text>)}
      {isReplayable && (
        <Button
          size="xs"
          variant="outline"
          aria-label={t("Carry out the signal of {receivedAt}", { receivedAt: moment(received_at) })}
          loading={isReplaying}
          onClick={() => replay(signal_id)}
        >
          {t("Carry out now")}
        </Button>
      )}
    </Card>
  )
}

export function SignalInbox({ bot }: { readonly bot: Bot }) {
  const place = vaultRefOf(bot)
  const signals = useSignals(place)
  const replaying = useMutation({
    mutationFn: (signal_id: string) =>
      call((client) => client.wallet.replaySignal({ wallet: place.wallet, signal_id })),
    onSuccess: ({ message }) => showSuccess(message),
    onSettled: () => queries.invalidateQueries({ queryKey: ["signals"] })
  })
  return (
    <Stack gap="xs" component="section" aria-label={t("Signals of this vault")}>
      <Text size="sm" fw={600}>{t("Signals of this vault, newest first")}</Text>
      {signals.error !== null && (
        <Alert color="red" role="alert" title={t("The signals cannot be loaded right now")}>
          {signals.error.message}
        </Alert>
      )}
      {replaying.error !== null && (
        <Alert color="red" role="alert" title={t("The signal was not carried out")}>{replaying.error.message}</Alert>
      )}
      {signals.isPending && <Loader aria-label={t("Loading")} />}
      {signals.data?.length === 0 && <Text size="sm">{t("No signal has come yet.")}</Text>}
      {signals.data?.map((signal) => (
        <Entry
          key={signal.signal_id}
          signal={signal}
          replay={replaying.mutate}
          isReplaying={replaying.isPending && replaying.variables === signal.signal_id}
        />
      ))}
    </Stack>
  )
}
