/** Home: what needs attention, the value of all vaults, vaults and bots by state, gas, and what happened last. */
import { Anchor, Badge, Box, Button, Card, Group, SimpleGrid, Stack, Text, ThemeIcon } from "@mantine/core"
import { IconActivity, IconAlertTriangle, IconCircleCheck, IconRobot } from "@tabler/icons-react"
import type { ActivityEntry } from "@vault-trader/core/intent/Activity"
import type { Range } from "@vault-trader/core/performance/Performance"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useLive } from "../connection/useLive.ts"
import { allBots, StateBadge, states } from "../bots/BotState.tsx"
import { useBots } from "../bots/Bots.ts"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { ActivityRow } from "../intent/ActivityRow.tsx"
import { useCurrentValues } from "../performance/CurrentValues.ts"
import { sumCurveOf } from "../performance/Curve.ts"
import { type Portfolio, usePortfolio } from "../performance/Performance.ts"
import { Sparkline } from "../performance/Sparkline.tsx"
import { ValueCurve } from "../performance/ValueCurve.tsx"
import { EmptyState } from "../shell/EmptyState.tsx"
import { dollars, money, signedMoney } from "../shell/Format.ts"
import { NetworkIcon, networkName } from "../shell/Icons.tsx"
import { Page, PageSkeleton } from "../shell/Page.tsx"
import { Section } from "../shell/Section.tsx"
import { Change, Stat } from "../shell/Stat.tsx"
import { useVaultName } from "../vault/Names.ts"
import { useLinks } from "../vault/useVaults.ts"
import { type Concern, useConcerns } from "./Attention.ts"
import { GasRunway } from "./GasRunway.tsx"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { WhenNear } from "../shell/WhenNear.tsx"
import { locale, t } from "../text/Text.ts"

const StartPage = lazy(() => import("../start/StartPage.tsx").then(({ StartPage }) => ({ default: StartPage })))

const useRecent = () => useLive(["recent"], (client) => client.live.activity({ limit: 50 }), ({ entries }) => entries)

/** How many concerns are listed before the rest is counted. */
const maxConcerns = 5

function Attention({ concerns }: { readonly concerns: ReadonlyArray<Concern> | undefined }) {
  const [isWhole, setIsWhole] = useState(false)
  if (concerns === undefined) return null
  if (concerns.length === 0) {
    return (
      <Card withBorder component="section" aria-label={t("Needs attention")} padding="sm">
        <Group gap="xs">
          <ThemeIcon color="green" variant="light" radius="xl" aria-hidden="true">
            <IconCircleCheck size={18} />
          </ThemeIcon>
          <Text size="sm">{t("Nothing needs your attention.")}</Text>
        </Group>
      </Card>
    )
  }
  const shown = isWhole ? concerns : concerns.slice(0, maxConcerns)
  return (
    <Section title={t("Needs attention")} action={<Badge color="red" circle size="lg">{concerns.length}</Badge>}>
      <Stack gap={4} component="ul" style={{ listStyle: "none", margin: 0, padding: 0 }}>
        {shown.map(({ action, key, level, text, title, to }) => (
          <Group key={key} className="concern" component="li" justify="space-between" wrap="nowrap" gap="sm" py={6}>
            <Group gap="sm" wrap="nowrap" align="flex-start" style={{ minWidth: 0 }}>
              <ThemeIcon color={level} variant="light" radius="xl" aria-hidden="true" style={{ flex: "none" }}>
                <IconAlertTriangle size={16} />
              </ThemeIcon>
              <div style={{ minWidth: 0 }}>
                <Text size="sm" fw={600}>{title}</Text>
                <Text size="sm" c="dimmed" lineClamp={2}>{text}</Text>
              </div>
            </Group>
            <Button
              size="xs"
              variant="default"
              component={Link}
              to={to as "/"}
              h="auto"
              mih={30}
              py={4}
              maw="45%"
              style={{ flex: "none" }}
              // Longer in some languages than a phone has room for in one line.
              styles={{
                root: { display: "inline-flex", alignItems: "center", justifyContent: "center" },
                label: { whiteSpace: "normal" }
              }}
            >
              {action}
            </Button>
          </Group>
        ))}
      </Stack>
      {concerns.length > maxConcerns && (
        <Button
          size="compact-sm"
          variant="subtle"
          mt={4}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? t("Show fewer") : t("Show all {count}", { count: concerns.length })}
        </Button>
      )}
    </Section>
  )
}

const noHistory = t(
  "The value of your vaults is recorded at intervals; a curve needs two records. Deposits and " +
    "withdrawals don’t count as profit."
)

/** `isPlaced`: what is above is there. A curve that it would move out of view again is not drawn before. */
function Total({ isPlaced }: { readonly isPlaced: boolean }) {
  const [range, setRange] = useState<Range>("7d")
  const [field, setField] = useState<"value_usd" | "pnl_usd">("value_usd")
  const portfolio = usePortfolio(range)
  const { data } = portfolio
  const { total } = useCurrentValues(data !== undefined && data.value_usd === null)
  return (
    <Card withBorder component="section" aria-label={t("Total value")} padding="md">
      <Group justify="space-between" align="flex-end" mb="sm">
        <Stat
          size="xl"
          label={t("Total value")}
          value={data === undefined && portfolio.error === null ? undefined : money(data?.value_usd ?? total)}
        />
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="lg" verticalSpacing="xs">
          {([[t("Today"), data?.day], [t("7 days"), data?.week], [t("All time"), data?.all]] as const).map((
            [label, profit]
          ) => (
            <Stat
              key={label}
              label={label}
              value={<Change usd={profit?.pnl_usd} percent={profit?.return_percent} isStacked />}
            />
          ))}
        </SimpleGrid>
      </Group>
      <ValueCurve
        label={field === "value_usd" ? t("Value") : "P&L"}
        points={sumCurveOf(data?.curve ?? [], field)}
        format={field === "value_usd" ? dollars : signedMoney}
        step={0.01}
        range={range}
        setRange={setRange}
        isPending={!isPlaced || portfolio.isPending && portfolio.error === null}
        error={portfolio.error}
        none={noHistory}
        choice={
          <SegmentedControl
            size="xs"
            aria-label={t("What the curve shows")}
            value={field}
            data={[{ value: "value_usd", label: t("Value") }, { value: "pnl_usd", label: "P&L" }]}
            onChange={(value) => setField(value === "pnl_usd" ? "pnl_usd" : "value_usd")}
          />
        }
      />
    </Card>
  )
}

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
      <Attention concerns={concerns} />
      <Total isPlaced={isPlaced} />
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
