/** An index bot: weights and targets, next run, last run with its trades, and its actions. */
import { Alert, Badge, Button, Card, Group, Stack, Text, Title } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { useMutation } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { dollars, moment, percent, spanOf } from "../shell/Format.ts"
import { showError, showSuccess } from "../shell/Notices.ts"
import type { Index } from "../bots/Bots.ts"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { PauseBots } from "../bots/PauseBots.tsx"
import { BotStoppedAlert } from "../threshold-bot/BotStoppedAlert.tsx"
import { Allocations } from "./Allocations.tsx"
import { type Run, useAllocations, useIndex } from "./Indexes.ts"
import { paramsOf, termsOf } from "./IndexTerms.ts"
import { TradedLegs } from "./Legs.tsx"
import { BotPlace } from "../threshold-bot/BotPlace.tsx"

const IndexForm = lazy(() => import("./IndexForm.tsx").then(({ IndexForm }) => ({ default: IndexForm })))
const Rebalance = lazy(() => import("./Rebalance.tsx").then(({ Rebalance }) => ({ default: Rebalance })))

function StateBadge({ active, enabled, kill_switch, paused_reason }: Index) {
  if (kill_switch !== null) return <Badge color="red">stopped</Badge>
  if (paused_reason !== null) return <Badge color="red">paused</Badge>
  return active
    ? <Badge color="green" variant="dot">active</Badge>
    : <Badge color="gray">{enabled ? "off" : "disabled"}</Badge>
}

function Weights({ bot }: { readonly bot: Index }) {
  const allocations = useAllocations(vaultRefOf(bot))
  if (allocations.data !== undefined) return <Allocations data={allocations.data} />
  if (allocations.error !== null) {
    return (
      <Alert color="orange" role="alert" title="Its weights cannot be read right now">
        {allocations.error.message}
      </Alert>
    )
  }
  return <Text size="sm">Reading the chain…</Text>
}

const states = { running: "in progress", done: "done", failed: "failed" } as const

function LastRun({ network, run }: { readonly network: string; readonly run: Run }) {
  const [open, { toggle }] = useDisclosure(false)
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text size="sm">
          Last run{run.paper ? ", on paper" : ""}, {moment(run.started_at)}: {states[run.state]}; {run.trades.length} of
          {" "}
          {run.plan.length} trades, {dollars(run.traded_usd)} traded.
          {run.message === null || run.state === "done" ? "" : ` ${run.message}`}
        </Text>
        {run.plan.length > 0 && (
          <Button size="compact-sm" variant="default" aria-expanded={open} onClick={toggle}>
            {open ? "Hide its trades" : "Show its trades"}
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
    onError: showError("Nothing was changed"),
    onSettled: () => queries.invalidateQueries()
  })

function Facts({ bot, owner, run }: { readonly bot: Index; readonly owner: string; readonly run: Run | null }) {
  return (
    <>
      <BotPlace bot={bot} owner={owner} />
      <Text size="sm">
        Checked every {spanOf(bot.interval)} · at most {dollars(bot.max_usd)} a run · slippage {percent(bot.slippage)}
        {" "}
        · through {bot.quote} · trades under {dollars(bot.min_trade_usd)} are skipped
      </Text>
      <Weights bot={bot} />
      <Text size="sm">
        {bot.last_decided_at === null
          ? "No check yet."
          : `Last check, ${moment(bot.last_decided_at)}: ${bot.last_decision ?? ""}`}
      </Text>
      <Text size="sm" c="dimmed">
        {bot.next_run_at === null ? "No run is scheduled." : `Next run: ${moment(bot.next_run_at)}`}
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
    <Card withBorder component="section" aria-label={`Index on ${bot.network}`}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">{bot.targets.map(({ asset, weight }) => `${asset} ${weight}`).join(" · ")}</Title>
          <Group gap="xs">
            {bot.paper && <Badge color="gray">paper</Badge>}
            <StateBadge {...bot} />
          </Group>
        </Group>
        <BotStoppedAlert {...bot} resume={() => schedule.mutate(true)} isResuming={schedule.isPending} />
        <Facts bot={bot} owner={owner} run={bot.last_run} />
        <Group gap="xs">
          <Button size="xs" onClick={() => setDialog("rebalance")}>Rebalance now</Button>
          <Button size="xs" variant="default" onClick={() => setDialog("edit")}>Edit</Button>
          <Button
            size="xs"
            variant="default"
            loading={schedule.isPending}
            onClick={() => schedule.mutate(!bot.enabled)}
          >
            {bot.enabled ? "Disable" : "Enable"}
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
