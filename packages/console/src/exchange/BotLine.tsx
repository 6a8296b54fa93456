/** An exchange bot: its side, its last decision with the reason, and its actions. */
import { Badge, Button, Card, Group, Stack, Text, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { dollars, moment, percent, readable } from "../shell/Format.ts"
import { TypeToConfirm } from "../shell/TypeToConfirm.tsx"
import { showError, showSuccess } from "../shell/Notices.ts"
import { BotStoppedAlert } from "../threshold-bot/BotStoppedAlert.tsx"
import { accountRefOf, type Account, type ExchangeBot } from "./Accounts.ts"
import { paramsOf, type SideTerms } from "./ExchangeTerms.ts"
import { SideForm } from "./SideForm.tsx"
import { t } from "../text/Text.ts"

const termsOf = (
  { max_usd, pair, share, side, stop_loss, strategy, take_profit }: ExchangeBot
): SideTerms => ({
  pair,
  side,
  strategy,
  max_usd: String(max_usd),
  share: String(share),
  take_profit: String(take_profit ?? ""),
  stop_loss: String(stop_loss ?? "")
})

function StateBadge({ active, paused_reason, side, strategy }: ExchangeBot) {
  if (paused_reason !== null) return <Badge color="red">{t("paused")}</Badge>
  return active
    ? <Badge color="green" variant="dot">{t("active")}</Badge>
    : <Badge color="gray">{side === "hold" && strategy === "custom" ? t("on hold") : t("deactivated")}</Badge>
}

function Delete(
  { account, bot, close }: { readonly account: Account; readonly bot: ExchangeBot; readonly close: () => void }
) {
  const deleting = useMutation({
    mutationFn: () => call((client) => client.wallet.deleteCEXBot({ ...accountRefOf(account), pair: bot.pair })),
    onSuccess: ({ message }) => {
      showSuccess(message)
      close()
      void queries.invalidateQueries()
    }
  })
  return (
    <TypeToConfirm
      title={t("Delete the bot")}
      name={bot.pair}
      action={t("Delete")}
      close={close}
      loading={deleting.isPending}
      problem={deleting.error}
      onConfirm={() => deleting.mutate()}
    >
      <Text size="sm">
        {t(
          "The account keeps what it holds. A pending order is tracked until it completes. Its orders stay " +
            "in the list."
        )}
      </Text>
    </TypeToConfirm>
  )
}

/** Mutations of a bot that need no form. */
const useChanges = (account: Account, bot: ExchangeBot) => {
  const handlers = {
    onError: showError(t("Nothing was changed")),
    onSettled: () => queries.invalidateQueries()
  }
  const botRef = { ...accountRefOf(account), pair: bot.pair }
  return {
    deactivating: useMutation({
      ...handlers,
      onSuccess: () => showSuccess(t("The bot of {pair} is deactivated.", { pair: bot.pair })),
      mutationFn: () => call((client) => client.wallet.deactivateCEXBot(botRef))
    }),
    following: useMutation({
      ...handlers,
      onSuccess: () =>
        showSuccess(
          bot.strategy === "custom"
            ? t("The bot of {pair} follows the trend. Its next decision is in progress.", { pair: bot.pair })
            : t("The bot of {pair} keeps its side: {side}.", { pair: bot.pair, side: bot.side })
        ),
      mutationFn: () =>
        call((client) =>
          client.wallet.setCEXStrategy({ ...botRef, strategy: bot.strategy === "custom" ? "trend" : "custom" })
        )
    }),
    retrying: useMutation({
      ...handlers,
      onSuccess: () => showSuccess(t("The bot of {pair} is resumed.", { pair: bot.pair })),
      mutationFn: () =>
        call((client) =>
          client.wallet.setCEXSide(
            { ...accountRefOf(account), ...paramsOf(termsOf(bot)), idempotency_key: crypto.randomUUID() } as never
          )
        )
    })
  }
}

/** Words the bounds of a bot's orders. */
const termsText = ({ max_usd, share: part, stop_loss, take_profit }: ExchangeBot): string => {
  const [maxUsd, share] = [dollars(max_usd), percent(part)]
  if (take_profit === null && stop_loss === null) {
    return t("At most {maxUsd} an order · share {share}", { maxUsd, share })
  }
  if (take_profit === null) {
    const stopLoss = percent(stop_loss ?? 0)
    return t("At most {maxUsd} an order · share {share} · stop-loss −{stopLoss}", { maxUsd, share, stopLoss })
  }
  const takeProfit = percent(take_profit)
  if (stop_loss === null) {
    return t("At most {maxUsd} an order · share {share} · take-profit +{takeProfit}", { maxUsd, share, takeProfit })
  }
  return t("At most {maxUsd} an order · share {share} · take-profit +{takeProfit} · stop-loss −{stopLoss}", {
    ...{ maxUsd, share, takeProfit },
    stopLoss: percent(stop_loss)
  })
}

export function BotLine({ account, bot }: { readonly account: Account; readonly bot: ExchangeBot }) {
  const [dialog, setDialog] = useState<"edit" | "delete">()
  const close = () => setDialog(undefined)
  const { retrying, deactivating, following } = useChanges(account, bot)
  const isOff = !bot.active && bot.paused_reason === null && !(bot.side === "hold" && bot.strategy === "custom")
  return (
    <Card
      withBorder
      padding="sm"
      component="article"
      aria-label={t("{pair} on {subaccountName}", { pair: bot.pair, subaccountName: account.subaccount_name })}
    >
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={3} size="h5">
            {bot.pair} · {bot.strategy === "custom" ? bot.side : `${bot.strategy} (${bot.side})`}
          </Title>
          <StateBadge {...bot} />
        </Group>
        <Text size="sm">
          {termsText(bot)}
        </Text>
        <BotStoppedAlert
          paused_reason={bot.paused_reason}
          kill_switch={null}
          resume={() => retrying.mutate()}
          isResuming={retrying.isPending}
        />
        <Text size="sm">
          {bot.last_decision === null
            ? t("No decision yet.")
            : t("Last decision, {at}: {action}. {reason}", {
              at: moment(bot.last_decision.at),
              action: bot.last_decision.action,
              reason: readable(bot.last_decision.reason)
            })}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setDialog("edit")}>
            {isOff ? t("Reactivate") : t("Edit")}
          </Button>
          <Button size="xs" variant="default" loading={following.isPending} onClick={() => following.mutate()}>
            {bot.strategy === "custom" ? t("Follow the trend") : t("Keep the set side")}
          </Button>
          {!isOff && (
            <Button
              size="xs"
              variant="default"
              loading={deactivating.isPending}
              onClick={() => deactivating.mutate()}
            >
              {t("Deactivate")}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => setDialog("delete")}>{t("Delete")}</Button>
        </Group>
      </Stack>
      {dialog === "edit" && <SideForm account={account} initial={termsOf(bot)} isEdit close={close} />}
      {dialog === "delete" && <Delete account={account} bot={bot} close={close} />}
    </Card>
  )
}
