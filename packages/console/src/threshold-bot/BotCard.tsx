/** A threshold bot: its terms, its last decision with the reason, and its actions. */
import { Badge, Button, Card, Group, Stack, Text, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { moment, percent, readable } from "../shell/Format.ts"
import { TypeToConfirm } from "../shell/TypeToConfirm.tsx"
import { showError, showSuccess } from "../shell/Notices.ts"
import { vaultRefOf } from "../vault/VaultRef.ts"
import type { Bot } from "../bots/Bots.ts"
import { paramsOf, termsOf } from "./BotTerms.ts"
import { StateBadge, stateOf } from "../bots/BotState.tsx"
import { NextCheck } from "../bots/NextCheck.tsx"
import { PauseBot, PauseBots } from "../bots/PauseBots.tsx"
import { BotStoppedAlert } from "./BotStoppedAlert.tsx"
import { BotPlace } from "./BotPlace.tsx"
import { T } from "../text/Sentence.tsx"
import { locale, t } from "../text/Text.ts"

const BotForm = lazy(() => import("./BotForm.tsx").then(({ BotForm }) => ({ default: BotForm })))
const BotTurns = lazy(() => import("./BotTurns.tsx").then(({ BotTurns }) => ({ default: BotTurns })))
const ChartAlerts = lazy(() => import("./ChartAlerts.tsx").then(({ ChartAlerts }) => ({ default: ChartAlerts })))

export function DeleteBot({ bot, close }: { readonly bot: Bot; readonly close: () => void }) {
  const deleting = useMutation({
    mutationFn: () => call((client) => client.wallet.deleteBot({ ...vaultRefOf(bot), pair: bot.pair })),
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
      <Text size="sm">{t("The vault keeps its assets. A pending trade still completes.")}</Text>
    </TypeToConfirm>
  )
}

/** Sets the bot again with the same terms, which resets its failures and starts a check immediately. */
export const useRetry = (bot: Bot) =>
  useMutation({
    mutationFn: () =>
      call((client) =>
        client.wallet.setBot(
          { ...paramsOf(termsOf(bot)), wallet: bot.gasWallet, idempotency_key: crypto.randomUUID() } as never
        )
      ),
    onSuccess: () => showSuccess(t("The bot of {pair} is resumed.", { pair: bot.pair })),
    onError: showError(t("The bot was not resumed; nothing was traded")),
    onSettled: () => queries.invalidateQueries()
  })

const decisionText = ({ last_decision, paper }: Bot) =>
  last_decision === null
    ? t("No decision yet.")
    : (paper && last_decision.action === "trade"
      ? t("Last decision, {at}: {action} on paper. {reason}", {
        at: moment(last_decision.at),
        action: last_decision.action,
        reason: readable(last_decision.reason)
      })
      : t("Last decision, {at}: {action}. {reason}", {
        at: moment(last_decision.at),
        action: last_decision.action,
        reason: readable(last_decision.reason)
      }))

export function BotCard({ bot, owner }: { readonly bot: Bot; readonly owner: string }) {
  const [dialog, setDialog] = useState<"edit" | "delete" | "turns" | "alerts">()
  const close = () => setDialog(undefined)
  const retrying = useRetry(bot)
  return (
    <Card
      withBorder
      component="section"
      aria-label={t("{pair} on {network}", { pair: bot.pair, network: bot.network })}
    >
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">{bot.pair} · {bot.side}</Title>
          <Group gap="xs">
            {bot.paper && bot.active === false && <Badge color="gray">{t("paper")}</Badge>}
            <StateBadge state={stateOf(bot)} />
          </Group>
        </Group>
        <BotPlace bot={bot} owner={owner} />
        <Text size="sm">
          {bot.lending
            ? t(
              "Threshold {threshold} · share {share} · at most ${maxUsd} a trade · slippage {slippage} · lends " +
                "idle assets",
              {
                threshold: percent(bot.threshold),
                share: percent(bot.share),
                maxUsd: bot.max_usd.toLocaleString(locale),
                slippage: percent(bot.slippage)
              }
            )
            : t("Threshold {threshold} · share {share} · at most ${maxUsd} a trade · slippage {slippage}", {
              threshold: percent(bot.threshold),
              share: percent(bot.share),
              maxUsd: bot.max_usd.toLocaleString(locale),
              slippage: percent(bot.slippage)
            })}
        </Text>
        <BotStoppedAlert {...bot} resume={() => retrying.mutate()} isResuming={retrying.isPending} />
        <Text size="sm" data-testid="decision">{decisionText(bot)}</Text>
        {bot.next_check !== null && (
          <Text size="sm" c="dimmed">
            <T message="Next check: {nextCheck}" values={{ nextCheck: <NextCheck at={bot.next_check} /> }} />
          </Text>
        )}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setDialog("edit")}>{t("Edit")}</Button>
          <Button size="xs" variant="default" onClick={() => setDialog("turns")}>
            {bot.paper ? t("Paper trades") : t("Decisions")}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog("alerts")}>{t("Chart alerts")}</Button>
          <PauseBot bot={bot} />
          <PauseBots vault={vaultRefOf(bot)} />
          <Button size="xs" variant="default" onClick={() => setDialog("delete")}>{t("Delete")}</Button>
        </Group>
      </Stack>
      <Suspense>
        {dialog === "edit" && <BotForm initial={termsOf(bot)} isEdit close={close} />}
        {dialog === "delete" && <DeleteBot bot={bot} close={close} />}
        {dialog === "turns" && <BotTurns bot={bot} close={close} />}
        {dialog === "alerts" && <ChartAlerts bot={bot} close={close} />}
      </Suspense>
    </Card>
  )
}
