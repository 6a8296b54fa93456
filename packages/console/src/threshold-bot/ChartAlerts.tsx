/**
 * Chart alerts of one bot: lists, creates, mutes and revokes tokens that may set its side, tries messages, and shows the
 * signals that came. A new token's URL is shown once.
 */
import { Alert, Button, Code, Group, Loader, Stack, Text, TextInput } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { WalletSecrets } from "../gas-wallet/WalletSecrets.tsx"
import { moment } from "../shell/Format.ts"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { showSuccess } from "../shell/Notices.ts"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { type Bot, useAlertTokens } from "../bots/Bots.ts"
import { SignalInbox } from "./SignalInbox.tsx"
import { SignalTester } from "./SignalTester.tsx"
import { Modal } from "../shell/Modal.tsx"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

/** Message template for TradingView. Alerts older than a minute are refused. */
const body = `{"market_position": "{{strategy.market_position}}", "timestamp": "{{timenow}}", "max_lag": 60}`

function Tokens({ bot }: { readonly bot: Bot }) {
  const place = vaultRefOf(bot)
  const tokens = useAlertTokens(place, bot.pair)
  const revoking = useMutation({
    mutationFn: (token_id: string) =>
      call((client) => client.wallet.revokeWebhookToken({ wallet: place.wallet, token_id })),
    onSuccess: ({ message }) => showSuccess(message),
    onSettled: () => queries.invalidateQueries({ queryKey: ["alertTokens"] })
  })
  const muting = useMutation({
    mutationFn: ({ muted, token_id }: { readonly muted: boolean; readonly token_id: string }) =>
      call((client) => client.wallet.setWebhookToken({ wallet: place.wallet, token_id, muted })),
    onSuccess: (_, { muted }) =>
      showSuccess(muted ? t("The token is muted: its alerts are refused.") : t("The token counts again.")),
    onSettled: () => queries.invalidateQueries({ queryKey: ["alertTokens"] })
  })
  if (tokens.isPending) return <Loader aria-label={t("Loading")} />
  if (tokens.error !== null) {
    return (
      <Alert color="red" role="alert" title={t("The tokens cannot be loaded right now")}>{tokens.error.message}</Alert>
    )
  }
  if (tokens.data.length === 0) return <Text size="sm">{t("This bot has no token yet.")}</Text>
  return (
    <>
      {revoking.error !== null && (
        <Alert color="red" role="alert" title={t("It was not revoked: alerts with it still work")}>
          {revoking.error.message}
        </Alert>
      )}
      {muting.error !== null && (
        <Alert color="red" role="alert" title={t("The token was not changed")}>{muting.error.message}</Alert>
      )}
      <ResponsiveTable
        label={t("Tokens of this bot")}
        columns={[t("Token"), t("Last used"), t("Mute"), t("Revoke")]}
        rows={tokens.data.map(({ created_at, label, muted, token_id, used_at }) => ({
          key: token_id,
          cells: [
            label ?? t("created {at}", { at: moment(created_at) }),
            used_at === null ? t("never") : moment(used_at),
            <Button
              key="mute"
              size="xs"
              variant="outline"
              aria-label={muted
                ? t("Unmute {label}", { label: label ?? token_id })
                : t("Mute {label}", { label: label ?? token_id })}
              loading={muting.isPending && muting.variables.token_id === token_id}
              onClick={() => muting.mutate({ token_id, muted: !muted })}
            >
              {muted ? t("Unmute") : t("Mute")}
            </Button>,
            <Button
              key="revoke"
              size="xs"
              color="red"
              variant="outline"
              aria-label={t("Revoke {label}", { label: label ?? token_id })}
              loading={revoking.isPending && revoking.variables === token_id}
              onClick={() => revoking.mutate(token_id)}
            >
              {t("Revoke")}
            </Button>
          ]
        }))}
      />
    </>
  )
}

/** The message to paste into an alert. */
function Message() {
  return (
    <>
      <Text size="sm">
        <T
          message={"Paste this as the alert message. {code} (long, neutral, short, hold) and plain words such as " +
            "buy, sell and close work, too:"}
          values={{ code: <Code>side</Code> }}
        />
      </Text>
      <Code
        block
        tabIndex={0}
        aria-label={t("Message of the alert")}
        style={{ whiteSpace: "pre-wrap", wordBreak: "break-all" }}
      >
        {body}
      </Code>
    </>
  )
}

export function ChartAlerts({ bot, close }: { readonly bot: Bot; readonly close: () => void }) {
  const [label, setLabel] = useState("")
  const creating = useMutation({
    gcTime: 0,
    mutationFn: () =>
      call((client) =>
        client.wallet.createWebhookToken({
          ...vaultRefOf(bot),
          pair: bot.pair,
          ...(label.trim() === "" ? {} : { label: label.trim() })
        })
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["alertTokens"] })
  })
  if (creating.data !== undefined) {
    const url = `${location.origin}${creating.data.path}`
    const end = () => {
      creating.reset()
      setLabel("")
    }
    return (
      <WalletSecrets
        title={t("The alert’s URL")}
        address={bot.gasWallet}
        close={end}
        secrets={[{ name: t("Alert URL"), value: url }]}
      />
    )
  }
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t("Chart alerts for {pair}", { pair: bot.pair })}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <Stack>
        <Text size="sm">
          {t(
            "Use the token’s URL in TradingView alerts. It can only change this bot’s side. Rotating the API " +
              "key doesn’t revoke it; revoke it if it leaks."
          )}
        </Text>
        <Tokens bot={bot} />
        <form
          onSubmit={(event) => {
            event.preventDefault()
            creating.mutate()
          }}
        >
          <Group align="flex-end">
            <TextInput
              style={{ flexGrow: 1 }}
              label={t("Label")}
              description={t("Only you see it")}
              maxLength={64}
              value={label}
              onChange={(event) => setLabel(event.currentTarget.value)}
            />
            <Button type="submit" loading={creating.isPending}>{t("Create token")}</Button>
          </Group>
        </form>
        {creating.error !== null && (
          <Alert color="red" role="alert" title={t("No token was created")}>{creating.error.message}</Alert>
        )}
        <Message />
        <SignalTester bot={bot} />
        <SignalInbox bot={bot} />
      </Stack>
    </Modal>
  )
}
