/** An index bot: weights and targets, next run, last run with its trades, and its actions. */
import { Alert, Badge, Button, Card, Group, Stack, Text, Title } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { dollars, moment, percent, spanOf } from "../shell/Format.ts"
import { showError, showSuccess } from "../shell/Notices.ts"
import type { Index } from "../bots/Bots.ts"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { searchOfIndex } from "../bots/BacktestSearch.ts"
import { PauseBots } from "../bots/PauseBots.tsx"
import { BotStoppedAlert } from "../threshold-bot/BotStoppedAlert.tsx"
import { Allocations } from "./Allocations.tsx"
import { type Run, useAllocations, useIndex } from "./Indexes.ts"
import { paramsOf, termsOf } from "./IndexTerms.ts"
import { TradedLegs } from "./Legs.tsx"
import { BotPlace } from "../threshold-bot/BotPlace.tsx"
import { t } from "../text/Text.ts"

const IndexForm = lazy(() => import("./IndexForm.tsx").then(({ IndexForm }) => ({ default: IndexForm })))
const Rebalance = lazy(() => import("./Rebalance.tsx").then(({ Rebalance }) => ({ default: Rebalance })))

function StateBadge({ active, enabled, kill_switch, paused_reason }: Index) {
  if (kill_switch !== null) return <Badge color="red">{t("stopped")}</Badge>
  if (paused_reason !== null) return <Badge color="red">{t("paused")}</Badge>
  return active
    ? <Badge color="green" variant="dot">{t("active")}</Badge>
    : <Badge color="gray">{enabled ? t("off") : t("disabled")}</Badge>
}

function Weights({ bot }: { readonly bot: Index }) {
  const allocations = useAllocations(vaultRefOf(bot))
  if (allocations.data !== undefined) return <Allocations data={allocations.data} />
  if (allocations.error !== null) {
    return (
      <Alert color="orange" role="alert" title={t("Its weights cannot be read right now")}>
        {allocations.error.message}
      </Alert>
    )
  }
  return <Text size="sm">{t("Reading the chain…")}</Text>
}

const states = { running: t("in progress"), done: t("done"), failed: t("failed") } as const

function LastRun({ network, run }: { readonly network: string; readonly run: Run }) {
  const [open, { toggle }] = useDisclosure(false)
  const values = {
    startedAt: moment(run.started_at),
    state: states[run.state],
    done: run.trades.length,
    all: run.plan.length,
    tradedUsd: dollars(run.traded_usd),
    message: run.message === null || run.state === "done" ? "" : ` ${run.message}`
  }
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text size="sm">
          {run.paper
            ? t(
              "Last run, on paper, {startedAt}: {state}; {done} of {all} trades, {tradedUsd} traded.{message}",
              values
            )
            : t("Last run, {startedAt}: {state}; {done} of {all} trades, {tradedUsd} traded.{message}", values)}
        </Text>
        {run.plan.length > 0 && (
          <Button size="compact-sm" variant="default" aria-expanded={open} onClick={toggle}>
            {open ? t("Hide its trades") : t("Show its trades")}
          </Button>
        )}
      </Group>
      {open && <TradedLegs network={network} trades={run.trades} />}
    </Stack>
  )
}

/** Enables or disables the schedule. Enabling resets the bot's failures and starts a check immediately. */
const useSchedule = (bot: Index) =>
  useMutation({
    mutationFn: (enabled: boolean) =>
      call((client) =>
        enabled
          // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
          ? client.wallet.setIndexBot({ ...paramsOf({ ...termsOf(bot), enabled }), wallet: bot.gasWallet } as never)
          : client.wallet.disableIndexBot(vaultRefOf(bot))
      ),
    onSuccess: ({ message }) => showSuccess(message),
    onError: showError(t("Nothing was changed")),
    onSettled: () => queries.invalidateQueries()
  })

function Facts({ bot, owner, run }: { readonly bot: Index; readonly owner: string; readonly run: Run | null }) {
  return (
    <>
      <BotPlace bot={bot} owner={owner} />
      <Text size="sm">
        {t(
          "Checked every {interval} · at most {maxUsd} a run · slippage {slippage} · through {quote} · " +
            "trades under {minTradeUsd} are skipped",
          {
            interval: spanOf(bot.interval),
            maxUsd: dollars(bot.max_usd),
            slippage: percent(bot.slippage),
            quote: bot.quote,
            minTradeUsd: dollars(bot.min_trade_usd)
          }
        )}
      </Text>
      <Weights bot={bot} />
      <Text size="sm">
        {bot.last_decided_at === null
          ? t("No check yet.")
          : t("Last check, {lastDecidedAt}: {lastDecision}", {
            lastDecidedAt: moment(bot.last_decided_at),
            lastDecision: bot.last_decision ?? ""
          })}
      </Text>
      <Text size="sm" c="dimmed">
        {bot.next_run_at === null
          ? t("No run is scheduled.")
          : t("Next run: {nextRunAt}", { nextRunAt: moment(bot.next_run_at) })}
      </Text>
      {run !== null && <LastRun network={bot.network} run={run} />}
    </>
  )
}

export function IndexCard({ bot: summary, owner }: { readonly bot: Index; readonly owner: string }) {
  const details = useIndex(vaultRefOf(summary)).data
  // The list is updated as often, but only this query includes the last run.
  const bot = { ...summary, last_run: details?.last_run ?? null }
  const [dialog, setDialog] = useState<"edit" | "rebalance">()
  const close = () => setDialog(undefined)
  const schedule = useSchedule(bot)
  return (
    <Card withBorder component="section" aria-label={t("Index on {network}", { network: bot.network })}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">{bot.targets.map(({ asset, weight }) => `${asset} ${weight}`).join(" · ")}</Title>
          <Group gap="xs">
            {bot.paper && <Badge color="gray">{t("paper")}</Badge>}
            <StateBadge {...bot} />
          </Group>
        </Group>
        <BotStoppedAlert {...bot} resume={() => schedule.mutate(true)} isResuming={schedule.isPending} />
        <Facts bot={bot} owner={owner} run={bot.last_run} />
        <Group gap="xs">
          <Button size="xs" onClick={() => setDialog("rebalance")}>{t("Rebalance now")}</Button>
          <Button size="xs" variant="default" onClick={() => setDialog("edit")}>{t("Edit")}</Button>
          <Button
            size="xs"
            variant="default"
            loading={schedule.isPending}
            onClick={() => schedule.mutate(!bot.enabled)}
          >
            {bot.enabled ? t("Disable") : t("Enable")}
          </Button>
          <Button
            size="xs"
            variant="default"
            component={Link}
            to="/backtest"
            search={searchOfIndex({ ...termsOf(bot) }) as never}
          >
            {t("Backtest")}
          </Button>
          <PauseBots vault={vaultRefOf(bot)} />
        </Group>
      </Stack>
      <Suspense>
        {dialog === "edit" && <IndexForm initial={termsOf(bot)} isEdit close={close} />}
        {dialog === "rebalance" && <Rebalance bot={bot} close={close} />}
      </Suspense>
    </Card>
  )
}
