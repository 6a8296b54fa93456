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
import { amount, money, percent, spanOf, unknown } from "../shell/Format.ts"
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
import { t } from "../text/Text.ts"

const StrategyForm = lazy(() => import("./StrategyForm.tsx").then(({ StrategyForm }) => ({ default: StrategyForm })))

type Dialog = "edit" | "live" | "paper" | "remove"

const intervalOf = (interval: string): string =>
  interval.endsWith("blocks")
    ? t("{count} blocks", { count: Number.parseInt(interval, 10) })
    : spanOf(Number.parseInt(interval, 10))

const termsOf = (bot: StrategyBot): ReadonlyArray<Fact> => [
  ...Object.entries(bot.inputs).map(([name, value]): Fact => [name, String(value as string)]),
  [t("Assets"), bot.assets.join(", ")],
  [t("Quote asset"), bot.quote],
  [t("Decides every"), intervalOf(bot.interval)],
  [t("Max per decision"), money(bot.max_usd)],
  [t("Min per trade"), money(bot.min_trade_usd)],
  [t("Trades when off by"), t("{tolerance, plural, one {# point} other {# points}}", { tolerance: bot.tolerance })],
  [t("Max slippage"), percent(bot.slippage)],
  [t("Max impact of a trade"), bot.max_impact === null ? t("0.3 % more than a small trade") : percent(bot.max_impact)],
  [t("Venue"), bot.platform],
  [t("File"), <Code key="digest" title={bot.digest}>{bot.digest.slice(0, 12)}</Code>]
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
    onError: showError(t("The bot is not resumed")),
    onSettled: () => queries.invalidateQueries()
  })
  const paused = pausedOf(bot)
  return (
    <Card withBorder>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Stat label={t("State")} value={<StatusBadge color={color} label={label} />} />
        <Stat label={t("Decides every")} value={intervalOf(bot.interval)} />
        <Stat label={t("Max per decision")} value={money(bot.max_usd)} />
        <Stat label={t("Last check")} value={bot.checked_at === null ? unknown : <Time at={bot.checked_at} />} />
      </SimpleGrid>
      <Text size="sm" mt="sm">{bot.reason}</Text>
      {bot.paper_holdings !== null && (
        <Text size="sm" c="dimmed">
          {t("On paper it holds {paperHoldings}.", {
            paperHoldings: Object.entries(bot.paper_holdings).map(([symbol, held]) => `${amount(held)} ${symbol}`).join(
              ", "
            )
          })}
        </Text>
      )}
      {paused !== undefined && (
        <Problem
          title={t("It paused itself")}
          message={`${paused} ${bot.reason}`}
          funds=""
          action={
            <Button size="compact-xs" onClick={() => resuming.mutate()} loading={resuming.isPending}>
              {t("Resume with the file as it is now")}
            </Button>
          }
        />
      )}
      {bot.kill_switch !== null && (
        <Problem
          title={t("Stopped")}
          message={t("{killSwitch}. The bot decides nothing.", { killSwitch: bot.kill_switch })}
          funds=""
        />
      )}
    </Card>
  )
}

const decisionStates = { trading: "open", done: "done", failed: "failed" } as const

function Decisions({ bot, decisions }: { readonly bot: StrategyBot; readonly decisions: BotDetails["decisions"] }) {
  return (
    <Section title={t("Decisions ({count})", { count: decisions.length })}>
      {decisions.length === 0
        ? (
          <EmptyState icon={<IconBrain size={22} />} title={t("No decision yet")}>
            {t("It decides when a candle closes, every {interval}.", { interval: intervalOf(bot.interval) })}
          </EmptyState>
        )
        : (
          <Timeline
            entries={decisions.map(({ decided_at: at, number, reason, state, trades }) => ({
              key: String(number),
              at,
              label: trades.length === 0
                ? t("Decision {number}: no trade", { number })
                : (bot.mode === "paper"
                  ? t("Decision {number} on paper", { number })
                  : t("Decision {number}", { number })),
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
          title={t("Trade live")}
          name={bot.strategy}
          action={t("Go live")}
          close={close}
          loading={starting.isPending}
          problem={starting.error}
          onConfirm={() => starting.mutate()}
        >
          <Text size="sm">
            {t(
              "From the next candle on it trades the vault’s assets without asking: at most {maxUsd} a " +
                "decision, every {interval}, billed to the gas wallet. Its holdings on paper are left behind.",
              { maxUsd: money(bot.max_usd), interval: intervalOf(bot.interval) }
            )}
          </Text>
        </TypeToConfirm>
      )}
      {dialog === "paper" && (
        <ConfirmedChange
          title={t("Back to paper")}
          action={t("Back to paper")}
          close={close}
          change={() => setAgain(bot, vault, "paper")}
        >
          {t("It keeps deciding, but trades nothing. A trade that is already sent still completes.")}
        </ConfirmedChange>
      )}
      {dialog === "remove" && (
        <ConfirmedChange
          title={t("Remove the bot")}
          to="/strategies"
          close={close}
          change={() => call((client) => client.wallet.deleteStrategyBot({ ...vault, strategy: bot.strategy }))}
        >
          {t(
            "The vault keeps what it holds, and the strategy stays installed. A trade that is already sent " +
              "still completes."
          )}
        </ConfirmedChange>
      )}
    </Suspense>
  )
}

const eventLabels = { set: t("Set"), paused: t("Paused itself"), deleted: t("Removed") } as const

export function StrategyPage() {
  const place = useVaultOfPage()
  const query = useStrategyBotsOf(place.vault)
  const { close, dialog, open } = useDialog<Dialog>()
  const strategy = place.params["strategy"] ?? ""
  return (
    <VaultItemPage
      title={strategy}
      list={{ label: t("Strategies"), to: "/strategies" }}
      place={place}
      query={query}
      details={query.data?.find(({ data }) => data.strategy === strategy)}
      subtitle={({ data: { assets, quote } }) => t("{assets} in {quote}", { assets: assets.join(", "), quote })}
      actions={({ data: { mode } }, vault) => (
        <>
          <Button
            size="xs"
            variant={mode === "live" ? "default" : "filled"}
            onClick={() => open(mode === "live" ? "paper" : "live")}
          >
            {mode === "live" ? t("Back to paper") : t("Go live")}
          </Button>
          <Button size="xs" variant="default" onClick={() => open("edit")}>{t("Edit")}</Button>
          <PauseBots vault={vault} />
          <Button size="xs" variant="default" onClick={() => open("remove")}>{t("Remove")}</Button>
        </>
      )}
      empty={{
        icon: <IconBrain size={22} />,
        title: t("No bot of this strategy is here"),
        text: t("The vault has none, or it was removed.")
      }}
    >
      {(details, vault) => (
        <>
          <Summary bot={details.data} vault={vault} />
          <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
            <Decisions bot={details.data} decisions={details.decisions} />
            <Stack>
              <Section title={t("Parameters")}>
                <Facts label={t("Parameters")} facts={termsOf(details.data)} />
              </Section>
              <Section title={t("History")}>
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
