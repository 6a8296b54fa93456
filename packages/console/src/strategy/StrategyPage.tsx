/** A bot that trades by a strategy: its decisions with reasons and trades, its parameters, and paper or live. */
import { Button, Card, Code, SimpleGrid, Stack, Text } from "@mantine/core"
import { IconBrain } from "@tabler/icons-react"
import { useMutation } from "@tanstack/react-query"
import { lazy, Suspense } from "react"
import { PauseBots } from "../bots/PauseBots.tsx"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type Fact, Facts } from "../shell/Facts.tsx"
import { amount, count, money, percent, spanOf, unknown } from "../shell/Format.ts"
import { showError, showSuccess } from "../shell/Notices.ts"
import { Problem } from "../shell/Problem.tsx"
import { ConfirmedChange } from "../shell/ConfirmedChange.tsx"
import { Section } from "../shell/Section.tsx"
import { Stat } from "../shell/Stat.tsx"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { Steps } from "../shell/Steps.tsx"
import { Time } from "../shell/Time.tsx"
import { entriesOf, Timeline } from "../shell/Timeline.tsx"
import { TypeToConfirm } from "../shell/TypeToConfirm.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useVaultOfPage, VaultItemPage } from "../vault/VaultItemPage.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { type BotDetails, paramsOf, pausedOf, stateOf, type StrategyBot, useStrategyBotsOf } from "./StrategyBots.ts"

const StrategyForm = lazy(() => import("./StrategyForm.tsx").then(({ StrategyForm }) => ({ default: StrategyForm })))

type Dialog = "edit" | "live" | "paper" | "remove"

const intervalOf = (interval: string): string =>
  interval.endsWith("blocks") ? interval.replace("blocks", " blocks") : spanOf(Number.parseInt(interval, 10))

const termsOf = (bot: StrategyBot): ReadonlyArray<Fact> => [
  ...Object.entries(bot.inputs).map(([name, value]): Fact => [name, String(value as string)]),
  ["Assets", bot.assets.join(", ")],
  ["Quote", bot.quote],
  ["Decides every", intervalOf(bot.interval)],
  ["Max per decision", money(bot.max_usd)],
  ["Min per trade", money(bot.min_trade_usd)],
  ["Trades when off by", count(bot.tolerance, "point")],
  ["Max slippage", percent(bot.slippage)],
  ["Max impact of a trade", bot.max_impact === null ? "0.3 % more than a small trade" : percent(bot.max_impact)],
  ["Venue", bot.platform],
  ["File", <Code key="digest" title={bot.digest}>{bot.digest.slice(0, 12)}</Code>]
]

/** Sets the bot again with its terms, which also resumes one that has paused itself. */
const setAgain = (bot: StrategyBot, vault: VaultRef, mode: StrategyBot["mode"]) =>
  // Decoded by the endpoint's schemas, as in the form.
  call((client) => client.wallet.setStrategyBot({ ...vault, ...paramsOf(bot), mode } as never))

function Summary({ bot, vault }: { readonly bot: StrategyBot; readonly vault: VaultRef }) {
  const { color, label } = stateOf(bot)
  const resuming = useMutation({
    mutationFn: () => setAgain(bot, vault, bot.mode),
    onSuccess: ({ message }) => showSuccess(message),
    onError: showError("The bot is not resumed"),
    onSettled: () => queries.invalidateQueries()
  })
  const paused = pausedOf(bot)
  return (
    <Card withBorder>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Stat label="State" value={<StatusBadge color={color} label={label} />} />
        <Stat label="Decides every" value={intervalOf(bot.interval)} />
        <Stat label="Max per decision" value={money(bot.max_usd)} />
        <Stat label="Last check" value={bot.checked_at === null ? unknown : <Time at={bot.checked_at} />} />
      </SimpleGrid>
      <Text size="sm" mt="sm">{bot.reason}</Text>
      {bot.paper_holdings !== null && (
        <Text size="sm" c="dimmed">
          On paper it holds{" "}
          {Object.entries(bot.paper_holdings).map(([symbol, held]) => `${amount(held)} ${symbol}`).join(", ")}.
        </Text>
      )}
      {paused !== undefined && (
        <Problem
          title="It paused itself"
          message={`${paused} ${bot.reason}`}
          funds=""
          action={
            <Button size="compact-xs" onClick={() => resuming.mutate()} loading={resuming.isPending}>
              Resume with the file as it is now
            </Button>
          }
        />
      )}
      {bot.kill_switch !== null && (
        <Problem title="Stopped" message={`${bot.kill_switch}. The bot decides nothing.`} funds="" />
      )}
    </Card>
  )
}

const decisionStates = { trading: "open", done: "done", failed: "failed" } as const

function Decisions({ bot, decisions }: { readonly bot: StrategyBot; readonly decisions: BotDetails["decisions"] }) {
  return (
    <Section title={`Decisions (${decisions.length})`}>
      {decisions.length === 0
        ? (
          <EmptyState icon={<IconBrain size={22} />} title="No decision yet">
            It decides when a candle closes, every {intervalOf(bot.interval)}.
          </EmptyState>
        )
        : (
          <Timeline
            entries={decisions.map(({ decided_at: at, number, reason, state, trades }) => ({
              key: String(number),
              at,
              label: trades.length === 0
                ? `Decision ${number}: no trade`
                : `Decision ${number}${bot.mode === "paper" ? " on paper" : ""}`,
              reason,
              state: trades.length === 0 && state === "done"
                ? undefined
                : decisionStates[state as keyof typeof decisionStates],
              children: trades.length > 0 && (
                <div style={{ margin: "6px 0" }}>
                  <Steps
                    network={bot.network}
                    steps={trades.map(({ amount: sold, bought, from, to, usd, ...trade }, index) => ({
                      ...trade,
                      key: String(index),
                      title: `${amount(sold)} ${from} → ${bought === null ? "" : `${amount(bought)} `}${to} (${
                        money(usd)
                      })`
                    }))}
                  />
                </div>
              )
            }))}
          />
        )}
    </Section>
  )
}

function Dialogs({ bot, close, dialog, vault }: {
  readonly bot: StrategyBot
  readonly dialog: Dialog | undefined
  readonly vault: VaultRef
  readonly close: () => void
}) {
  const starting = useMutation({
    mutationFn: () => setAgain(bot, vault, "live"),
    onSuccess: ({ message }) => {
      showSuccess(message)
      close()
    },
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Suspense fallback={null}>
      {dialog === "edit" && <StrategyForm bot={bot} vault={vault} close={close} />}
      {dialog === "live" && (
        <TypeToConfirm
          title="Trade live"
          name={bot.strategy}
          action="Go live"
          close={close}
          loading={starting.isPending}
          problem={starting.error}
          onConfirm={() => starting.mutate()}
        >
          <Text size="sm">
            From the next candle on it trades the vault’s assets without asking: at most {money(bot.max_usd)}{" "}
            a decision, every{" "}
            {intervalOf(bot.interval)}, billed to the gas wallet. Its holdings on paper are left behind.
          </Text>
        </TypeToConfirm>
      )}
      {dialog === "paper" && (
        <ConfirmedChange
          title="Back to paper"
          action="Back to paper"
          close={close}
          change={() => setAgain(bot, vault, "paper")}
        >
          It keeps deciding, but trades nothing. A trade that is already sent still completes.
        </ConfirmedChange>
      )}
      {dialog === "remove" && (
        <ConfirmedChange
          title="Remove the bot"
          to="/strategies"
          close={close}
          change={() => call((client) => client.wallet.deleteStrategyBot({ ...vault, strategy: bot.strategy }))}
        >
          The vault keeps what it holds, and the strategy stays installed. A trade that is already sent still completes.
        </ConfirmedChange>
      )}
    </Suspense>
  )
}

const eventLabels = { set: "Set", paused: "Paused itself", deleted: "Removed" } as const

export function StrategyPage() {
  const place = useVaultOfPage()
  const query = useStrategyBotsOf(place.vault)
  const { close, dialog, open } = useDialog<Dialog>()
  const strategy = place.params["strategy"] ?? ""
  return (
    <VaultItemPage
      title={strategy}
      list={{ label: "Strategies", to: "/strategies" }}
      place={place}
      query={query}
      details={query.data?.find(({ data }) => data.strategy === strategy)}
      subtitle={({ data: { assets, quote } }) => `${assets.join(", ")} in ${quote}`}
      actions={({ data: { mode } }, vault) => (
        <>
          <Button
            size="xs"
            variant={mode === "live" ? "default" : "filled"}
            onClick={() => open(mode === "live" ? "paper" : "live")}
          >
            {mode === "live" ? "Back to paper" : "Go live"}
          </Button>
          <Button size="xs" variant="default" onClick={() => open("edit")}>Edit</Button>
          <PauseBots vault={vault} />
          <Button size="xs" variant="default" onClick={() => open("remove")}>Remove</Button>
        </>
      )}
      empty={{
        icon: <IconBrain size={22} />,
        title: "No bot of this strategy is here",
        text: "The vault has none, or it was removed."
      }}
    >
      {(details, vault) => (
        <>
          <Summary bot={details.data} vault={vault} />
          <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
            <Decisions bot={details.data} decisions={details.decisions} />
            <Stack>
              <Section title="Parameters">
                <Facts label="Parameters" facts={termsOf(details.data)} />
              </Section>
              <Section title="History">
                <Timeline entries={entriesOf(details.events, eventLabels, { paused: "failed" })} />
              </Section>
            </Stack>
          </SimpleGrid>
          <Dialogs bot={details.data} vault={vault} dialog={dialog} close={close} />
        </>
      )}
    </VaultItemPage>
  )
}
