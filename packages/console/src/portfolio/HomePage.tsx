/** Home: what needs attention, the value of all vaults, vaults and bots by state, gas, and what happened last. */
import { Anchor, Box, Button, Group, SimpleGrid, Stack, Text } from "@mantine/core"
import { IconActivity, IconRobot } from "@tabler/icons-react"
import type { ActivityEntry } from "@vault-trader/core/intent/Activity"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useLive } from "../connection/useLive.ts"
import { allBots, StateBadge, states } from "../bots/BotState.tsx"
import { useBots } from "../bots/Bots.ts"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { ActivityRow } from "../intent/ActivityRow.tsx"
import { useCurrentValues } from "../performance/CurrentValues.ts"
import { type Portfolio, usePortfolio } from "../performance/Performance.ts"
import { Sparkline } from "../performance/Sparkline.tsx"
import { EmptyState } from "../shell/EmptyState.tsx"
import { money } from "../shell/Format.ts"
import { NetworkIcon, networkName } from "../shell/Icons.tsx"
import { Page, PageSkeleton } from "../shell/Page.tsx"
import { Section } from "../shell/Section.tsx"
import { Change } from "../shell/Stat.tsx"
import { useVaultName } from "../vault/Names.ts"
import { useLinks } from "../vault/useVaults.ts"
import { useConcerns } from "./Attention.ts"
import { Concerns } from "./Concerns.tsx"
import { GasRunway } from "./GasRunway.tsx"
import { TotalValue } from "./TotalValue.tsx"
import { WhenNear } from "../shell/WhenNear.tsx"
import { locale, t } from "../text/Text.ts"

const StartPage = lazy(() => import("../start/StartPage.tsx").then(({ StartPage }) => ({ default: StartPage })))

const useRecent = () => useLive(["recent"], (client) => client.live.activity({ limit: 50 }), ({ entries }) => entries)

/** How many vaults are listed before the rest is on the page of all. */
const maxVaults = 6

/** Heights of what is drawn once it comes near: of a vault's row, and of the latest activity and the gas runway. */
const vaultHeight = 60
const latestHeight = 360
const runwayHeight = 180

function Vaults({ vaults }: { readonly vaults: Portfolio["vaults"] }) {
  const vaultName = useVaultName()
  const links = useLinks().data ?? []
  const listed = vaults.length > 0
    ? [...vaults].sort((one, other) => Number(other.value_usd ?? 0) - Number(one.value_usd ?? 0))
    : links.map(({ network, pool, wallet }) => ({ network, pool, wallet, value_usd: null, day: null, sparkline: [] }))
  const current = useCurrentValues(vaults.every(({ value_usd }) => value_usd === null)).vaults
  const all = <Anchor component={Link} to="/vaults" size="sm">{t("All vaults")}</Anchor>
  return (
    <Section title={t("Vaults ({count})", { count: listed.length })} action={all}>
      <WhenNear height={Math.min(listed.length, maxVaults) * vaultHeight}>
        <Stack gap={0} mx={-12}>
          {listed.slice(0, maxVaults).map(({ day, network, pool, sparkline, value_usd, wallet }) => (
            <Link
              key={`${wallet}/${network}/${pool}`}
              to="/vaults/$network/$pool"
              params={{ network, pool }}
              className="row-link"
            >
              <Group justify="space-between" wrap="nowrap" gap="sm">
                <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
                  <NetworkIcon network={network} size={20} />
                  <div style={{ minWidth: 0 }}>
                    <Text size="sm" fw={600} truncate>{vaultName(network, pool)}</Text>
                    <Text size="xs" c="dimmed">{networkName(network)}</Text>
                  </div>
                </Group>
                <Group gap="md" wrap="nowrap">
                  <Box visibleFrom="xs" lh={0}>
                    <Sparkline values={sparkline} />
                  </Box>
                  <Stack gap={0} align="flex-end" miw={96}>
                    <Text size="sm" fw={600} className="figure">
                      {money(value_usd ?? current.get(`${network}/${pool}`))}
                    </Text>
                    <Text size="xs" component="div">
                      {day !== null && <Change percent={day.return_percent} />}
                    </Text>
                  </Stack>
                </Group>
              </Group>
            </Link>
          ))}
        </Stack>
      </WhenNear>
    </Section>
  )
}

function Bots() {
  const bots = allBots(useBots().data)
  const all = <Anchor component={Link} to="/bots" size="sm">{t("All bots")}</Anchor>
  return (
    <Section title={t("Bots ({count})", { count: bots.length })} action={bots.length > 0 && all}>
      {bots.length === 0
        ? (
          <EmptyState
            icon={<IconRobot size={22} />}
            title={t("No bot yet")}
            action={<Button component={Link} to="/bots" size="xs">{t("Deploy a bot")}</Button>}
          >
            {t(
              "A bot keeps a vault on one side of a pair, or holds the weights of an index, day and night. " +
                "Paper mode tries it without trading."
            )}
          </EmptyState>
        )
        : (
          <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs">
            {states.flatMap((state) => {
              const number = bots.filter((bot) => bot.state === state).length
              return number === 0 ? [] : [
                (
                  <Link key={state} to="/bots" search={{ state }} className="row-link">
                    <Text fz={22} fw={650} lh={1.2} className="figure">{number.toLocaleString(locale)}</Text>
                    <StateBadge state={state} />
                  </Link>
                )
              ]
            })}
          </SimpleGrid>
        )}
    </Section>
  )
}

function Latest({ activity }: { readonly activity: ReadonlyArray<ActivityEntry> }) {
  const vaultName = useVaultName()
  const all = <Anchor component={Link} to="/activity" size="sm">{t("All activity")}</Anchor>
  return (
    <Section title={t("Latest activity")} action={activity.length > 0 && all}>
      {activity.length === 0
        ? (
          <EmptyState icon={<IconActivity size={22} />} title={t("Nothing has happened yet")}>
            {t("Trades, orders and everything else that may move funds is listed here with its outcome.")}
          </EmptyState>
        )
        : (
          <WhenNear height={latestHeight}>
            <Stack gap={0} component="ul" style={{ listStyle: "none", margin: 0, padding: 0 }}>
              {activity.slice(0, 6).map((entry) => (
                <ActivityRow
                  key={entry.id}
                  entry={entry}
                  place={entry.network !== null && entry.pool !== null
                    ? vaultName(entry.network, entry.pool)
                    : entry.exchange ?? undefined}
                />
              ))}
            </Stack>
          </WhenNear>
        )}
    </Section>
  )
}

export function HomePage() {
  const links = useLinks()
  const recent = useRecent()
  const vaults = usePortfolio("7d").data?.vaults ?? []
  const concerns = useConcerns(recent.data)
  const sources = [links, useBots(), useWallets()]
  const isPlaced = concerns !== undefined || sources.some(({ error }) => error !== null)
  // The first steps stay on this page until it is left: linking the vault is only one of them.
  const [isStarting, setStarting] = useState(false)
  if (links.data?.length === 0 && !isStarting) setStarting(true)
  if (isStarting) {
    return (
      <Suspense fallback={<PageSkeleton />}>
        <StartPage leave={() => setStarting(false)} />
      </Suspense>
    )
  }
  const activity = recent.data ?? []
  return (
    <Page title={t("Home")} query={links}>
      <Concerns concerns={concerns} />
      <TotalValue isPlaced={isPlaced} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Stack>
          <Vaults vaults={vaults} />
          <Bots />
        </Stack>
        <Stack>
          <Latest activity={activity} />
          <Section
            title={t("Gas runway")}
            action={<Anchor component={Link} to="/gas-wallets" size="sm">{t("Gas wallets")}</Anchor>}
          >
            <WhenNear height={runwayHeight}>
              <GasRunway activity={activity} />
            </WhenNear>
          </Section>
        </Stack>
      </SimpleGrid>
    </Page>
  )
}
