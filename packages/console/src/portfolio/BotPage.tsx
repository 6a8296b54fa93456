/** A bot: its state and next check, its decisions as a timeline with reasons, and its parameters. */
import { Anchor, Badge, Button, Card, Group, SimpleGrid, Stack, Text } from "@mantine/core"
import { IconRobot } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { usePerformance } from "../performance/Performance.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import { dollars, money, percent, readable, summaryOf, unknown } from "../shell/Format.ts"
import { networkName, PairIcon } from "../shell/Icons.tsx"
import { Page } from "../shell/Page.tsx"
import { Problem } from "../shell/Problem.tsx"
import { Section } from "../shell/Section.tsx"
import { Stat } from "../shell/Stat.tsx"
import { Time } from "../shell/Time.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useRouteParams } from "../shell/useRouteParams.ts"
import { Transaction } from "../shell/Transaction.tsx"
import { DeleteBot, useRetry } from "../threshold-bot/BotCard.tsx"
import { BotStoppedAlert } from "../threshold-bot/BotStoppedAlert.tsx"
import { termsOf } from "../threshold-bot/BotTerms.ts"
import { useVaultName } from "../vault/Names.ts"
import { vaultKeyOf, vaultRefOf } from "../vault/VaultRef.ts"
import { StateBadge, stateOf } from "../bots/BotState.tsx"
import { type Bot, useBots, useOwner, useTurns } from "../bots/Bots.ts"
import { searchOfBot } from "../bots/BacktestSearch.ts"
import { NextCheck } from "../bots/NextCheck.tsx"
import { PauseBot, PauseBots } from "../bots/PauseBots.tsx"
import { T } from "../text/Sentence.tsx"
import { locale, t } from "../text/Text.ts"

const TagLine = lazy(() => import("../views/TagLine.tsx").then(({ TagLine }) => ({ default: TagLine })))
const BotHistory = lazy(() => import("../bots/BotHistory.tsx").then(({ BotHistory }) => ({ default: BotHistory })))
const BotForm = lazy(() => import("../threshold-bot/BotForm.tsx").then(({ BotForm }) => ({ default: BotForm })))
const ChartAlerts = lazy(() =>
  import("../threshold-bot/ChartAlerts.tsx").then(({ ChartAlerts }) => ({ default: ChartAlerts }))
)
const IndexCard = lazy(() => import("../index-bot/IndexCard.tsx").then(({ IndexCard }) => ({ default: IndexCard })))

const sides: Readonly<Record<Bot["side"], (base: string, quote: string) => string>> = {
  long: (base) => t("Long: holds {base}", { base }),
  neutral: (_, quote) => t("Neutral: holds {quote}", { quote }),
  short: (base) => t("Short: holds the inverse of {base}", { base }),
  hold: () => t("On hold: does nothing")
}

function Summary({ bot }: { readonly bot: Bot }) {
  const source = usePerformance(vaultRefOf(bot), "all").data?.sources.find(({ id, kind }) =>
    kind === "threshold_bot" && id === bot.pair
  )
  return (
    <Card withBorder>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Stat
          label={t("Next check")}
          value={bot.next_check === null ? t("none") : <NextCheck at={bot.next_check} />}
          hint={bot.next_check === null ? t("It is not running.") : undefined}
        />
        <Stat
          label={t("Trades")}
          value={source === undefined ? unknown : source.trades.toLocaleString(locale)}
          hint={source !== undefined && source.failed > 0 ? t("{failed} failed", { failed: source.failed }) : undefined}
        />
        <Stat label={t("Turnover")} value={money(source?.turnover_usd)} />
        <Stat
          label={t("Cost")}
          value={source === undefined || source.gas_usd === null
            ? unknown
            : dollars(Number(source.gas_usd) + Number(source.charges_usd))}
          hint={t("Gas and charges")}
        />
      </SimpleGrid>
    </Card>
  )
}

const turnStates = { pending: "open", success: "done", fail: "failed" } as const

function Decisions({ bot }: { readonly bot: Bot }) {
  const turns = useTurns(vaultRefOf(bot))
  const last = bot.last_decision
  return (
    <Section title={t("Decisions")}>
      {turns.error !== null && (
        <Problem title={t("The decisions cannot be loaded right now")} message={turns.error.message} />
      )}
      {last === null && turns.data?.length === 0
        ? (
          <EmptyState icon={<IconRobot size={22} />} title={t("No decision yet")}>
            {t("The bot’s first check is within seconds. Each decision is listed here with its reason.")}
          </EmptyState>
        )
        : (
          <ol className="timeline" aria-label={t("Decisions")}>
            {last !== null && (
              <li data-state={last.action === "failed" ? "failed" : last.action === "trade" ? "done" : "open"}>
                <Text size="sm" fw={600}>
                  {last.action === "hold"
                    ? t("Holds")
                    : last.action === "trade"
                    ? t("Traded")
                    : last.action === "park"
                    ? t("Lent idle assets")
                    : t("Failed")} <Badge color="gray" variant="light" size="sm">{t("latest decision")}</Badge>
                </Text>
                <Text size="sm" data-testid="decision" style={{ overflowWrap: "anywhere" }}>
                  {readable(last.reason)}
                </Text>
                <Text size="xs" c="dimmed">
                  <Time at={last.at} />
                </Text>
              </li>
            )}
            {turns.data?.map((turn) => {
              const { details, summary } = summaryOf(turn.message)
              return (
                <li key={turn.intent_id} data-state={turnStates[turn.status]}>
                  <Text size="sm" style={{ overflowWrap: "anywhere" }}>{summary}</Text>
                  {details !== "" && (
                    <details>
                      <summary>
                        <Text span size="xs">{t("Details")}</Text>
                      </summary>
                      <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>{details}</Text>
                    </details>
                  )}
                  <Text size="xs" c="dimmed" component="div">
                    <Time at={turn.created_at} />
                    {turn.tx_hash !== null && (
                      <>
                        {" · "}
                        <Transaction network={turn.network} hash={turn.tx_hash} />
                      </>
                    )}
                  </Text>
                </li>
              )
            })}
          </ol>
        )}
    </Section>
  )
}

function Parameters({ bot, edit }: { readonly bot: Bot; readonly edit: () => void }) {
  const owner = useOwner()(bot.gasWallet)
  const { network, wallet } = vaultRefOf(bot)
  const [base = "", quote = ""] = bot.pair.split("-")
  const rows: ReadonlyArray<readonly [string, ReactNode]> = [
    [t("Side"), sides[bot.side](base, quote)],
    [t("Trade when off target by more than"), percent(bot.threshold)],
    [t("Share of it per trade"), percent(bot.share)],
    [t("Most per trade"), dollars(bot.max_usd)],
    [t("Max slippage"), percent(bot.slippage)],
    [t("Venue"), bot.platform === "auto" ? t("Auto") : bot.platform],
    [t("Lends idle assets"), bot.lending ? t("yes") : t("no")],
    [
      t("Gas wallet"),
      <Group key="wallet" gap="xs" justify="flex-end">
        {owner}
        <RefillButton wallet={wallet} network={network} />
      </Group>
    ]
  ]
  return (
    <Section
      title={t("Parameters")}
      action={<Button size="compact-sm" variant="default" onClick={edit}>{t("Edit")}</Button>}
    >
      <table className="table figures" aria-label={t("Parameters")}>
        <tbody>
          {rows.map(([label, value]) => (
            <tr key={label}>
              <th className="plain" scope="row">
                <Text size="sm" c="dimmed">{label}</Text>
              </th>
              <td className="end">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Threshold({ bot }: { readonly bot: Bot }) {
  const { close, dialog, open } = useDialog<"edit" | "clone" | "delete" | "alerts">()
  const retrying = useRetry(bot)
  return (
    <Stack>
      <BotStoppedAlert {...bot} resume={() => retrying.mutate()} isResuming={retrying.isPending} />
      <Summary bot={bot} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Decisions bot={bot} />
        <Stack>
          <Parameters bot={bot} edit={() => open("edit")} />
          <Section title={t("Actions")}>
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={() => open("alerts")}>{t("Chart alerts")}</Button>
              <Button size="xs" variant="default" onClick={() => open("clone")}>{t("Clone")}</Button>
              <Button
                size="xs"
                variant="default"
                component={Link}
                to="/backtest"
                search={searchOfBot({ ...termsOf(bot) }) as never}
              >
                {t("Backtest")}
              </Button>
              <PauseBot bot={bot} />
              <PauseBots vault={vaultRefOf(bot)} />
              <Button size="xs" variant="default" color="red" onClick={() => open("delete")}>{t("Delete")}</Button>
            </Group>
          </Section>
          <Suspense fallback={null}>
            <BotHistory bot={bot} />
          </Suspense>
        </Stack>
      </SimpleGrid>
      <Suspense fallback={null}>
        {dialog === "edit" && <BotForm initial={termsOf(bot)} isEdit close={close} />}
        {dialog === "clone" && <BotForm initial={{ ...termsOf(bot), pool: "" }} isEdit={false} close={close} />}
        {dialog === "delete" && <DeleteBot bot={bot} close={close} />}
        {dialog === "alerts" && <ChartAlerts bot={bot} close={close} />}
      </Suspense>
    </Stack>
  )
}

export function BotPage() {
  const { network = "", pair = "", pool = "" } = useRouteParams()
  const bots = useBots()
  const vaultName = useVaultName()(network, pool)
  const owner = useOwner()
  const isHere = (each: { readonly network: string; readonly pool: string }) =>
    each.network === network && each.pool === pool.toLowerCase()
  const bot = bots.data?.bots.find((each) => isHere(each) && each.pair === pair)
  const index = pair === "index" ? bots.data?.index_bots.find(isHere) : undefined
  return (
    <Page
      title={pair === "index"
        ? t("Index of {vaultName}", { vaultName })
        : t("{pair} on {vaultName}", { pair, vaultName })}
      crumbs={[
        { label: t("Trading Bots"), to: "/bots" },
        { label: vaultName, to: "/vaults/$network/$pool", params: { network, pool } }
      ]}
      query={bots}
      icon={pair === "index" ? <IconRobot size={28} aria-hidden="true" /> : <PairIcon pair={pair} size={28} />}
      subtitle={
        <Group gap="xs">
          <Text size="sm">{networkName(network)}</Text>
          {bot !== undefined && <StateBadge state={stateOf(bot)} />}
          {bot?.paper === true && <Badge color="gray">{t("paper")}</Badge>}
          <Suspense fallback={null}>
            <TagLine
              tagged="bots"
              tagKey={`${vaultKeyOf({ network, pool })}/${pair}`}
              name={t("{pair} on {vaultName}", { pair, vaultName })}
            />
          </Suspense>
        </Group>
      }
    >
      {bot !== undefined && <Threshold bot={bot} />}
      {index !== undefined && (
        <Suspense fallback={null}>
          <IndexCard bot={index} owner={owner(index.gasWallet)} />
        </Suspense>
      )}
      {bot === undefined && index === undefined && (
        <EmptyState icon={<IconRobot size={22} />} title={t("This bot is not here")}>
          <T
            message="It was deleted, or another manager’s wallet runs it. <0>All bots</0>"
            parts={[<Anchor component={Link} to="/bots" underline="always" />]}
          />
        </EmptyState>
      )}
    </Page>
  )
}
