/** The console's parts in every state, on the devnet only: what a page is made of, and what screenshots are compared by. */
import { Alert, Badge, Button, Card, Group, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core"
import { IconRobot } from "@tabler/icons-react"
import { lazy, Suspense } from "react"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { StateBadge, states } from "../bots/BotState.tsx"
import { Sparkline } from "../performance/Sparkline.tsx"
import { EmptyState } from "../shell/EmptyState.tsx"
import { amount, compactMoney, money, moment, percent, price, signedMoney, signedPercent } from "../shell/Format.ts"
import { NetworkIcon, networkName, PairIcon, TokenIcon } from "../shell/Icons.tsx"
import { Mark } from "../shell/Mark.tsx"
import { NotFoundPage } from "../shell/NotFoundPage.tsx"
import { Page } from "../shell/Page.tsx"
import { Problem } from "../shell/Problem.tsx"
import { Section } from "../shell/Section.tsx"
import { Change, Stat } from "../shell/Stat.tsx"

const Chart = lazy(() => import("../chart/Chart.tsx").then(({ Chart }) => ({ default: Chart })))

const longMessage =
  "Price too far from the oracle: the best quote is 1.05 % worse, your limit is 1 %. Nothing was traded. " +
  "uniswapV3 quoted 0.33012 WETH for 1000 USDC; kyberswap answered HTTP 429 and is passed over for 60 s."

/** A curve with a gap, always the same. */
const curve = Array.from({ length: 60 }, (_, index) => ({
  time: 1_790_000_000 + index * 3_600,
  value: index > 24 && index < 30 ? null : 10_000 + Math.sin(index / 6) * 220 + index * 9
}))

function Type() {
  return (
    <Section title="Type">
      {([1, 2, 3, 4, 5] as const).map((order) => (
        <Text key={order} component="div" fz={`h${order}`} fw={650} lh={1.3}>
          Heading {order}: Momentum gained 4.2 %
        </Text>
      ))}
      <Text>Body: every step is verified on chain.</Text>
      <Text size="sm">Small: next check in 12 s.</Text>
      <Text size="sm" c="dimmed">Dimmed: updated 3 s ago.</Text>
      <Text size="sm" ff="monospace">Mono: 0x5c4e…c1f2</Text>
    </Section>
  )
}

function Figures() {
  const rows = [
    ["Money", money(1_234_567.891), money(-12.5), money(null)],
    ["Compact money", compactMoney(1_234_567.891), compactMoney(-250_000), compactMoney(null)],
    ["Gain or loss", signedMoney(42), signedMoney(-42), signedMoney(null)],
    ["Amount", amount("1234.56789"), amount("0.00012345678"), amount(null)],
    ["Price", price(3012.345), price(0.000123456), price(null)],
    ["Percent", percent(12.345), percent(-0.5), signedPercent(null)],
    ["Change", signedPercent(1.5), signedPercent(-1.5), signedPercent(0)],
    ["Time", moment("2026-11-20T10:00:00.000Z"), "", ""]
  ]
  return (
    <Section title="Figures">
      <Table className="figures" aria-label="Figures">
        <Table.Tbody>
          {rows.map(([name, ...cells]) => (
            <Table.Tr key={name}>
              <Table.Th fw={400} scope="row">{name}</Table.Th>
              {cells.map((cell, index) => <Table.Td key={index} ta="end">{cell}</Table.Td>)}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}

function IconsSection() {
  return (
    <Section title="Mark and icons">
      <Stack gap="sm">
        <Group>
          <Mark size={48} />
          <Mark />
          <Mark size={16} />
        </Group>
        <Group gap="sm">
          {["WETH", "USDC", "USDT", "DAI", "WBTC", "AAVE", "POL", "PEPE", "stETH"].map((symbol) => (
            <Group key={symbol} gap={6}>
              <TokenIcon symbol={symbol} />
              <Text size="sm">{symbol}</Text>
            </Group>
          ))}
          <PairIcon pair="WETH-USDC" />
        </Group>
        <Group gap="sm">
          {["base", "optimism", "arbitrum", "polygon", "ethereum", "hyperliquid", "plasma"].map((network) => (
            <Group key={network} gap={6}>
              <NetworkIcon network={network} />
              <Text size="sm">{networkName(network)}</Text>
            </Group>
          ))}
        </Group>
      </Stack>
    </Section>
  )
}

function States() {
  return (
    <Section title="States and buttons">
      <Stack gap="sm">
        <Group gap="xs">
          {states.map((state) => <StateBadge key={state} state={state} />)}
          <Badge>default</Badge>
        </Group>
        <Group gap="xs">
          <Button>Trade</Button>
          <Button variant="default">Cancel</Button>
          <Button variant="subtle">More</Button>
          <Button color="red">Stop</Button>
          <Button disabled>Disabled</Button>
          <Button loading>Loading</Button>
        </Group>
        <Group gap="xl">
          <Stat size="xl" label="Total value" value={money(128_402.11)} />
          <Stat label="Today" value={<Change usd={312.4} percent={0.24} />} />
          <Stat label="7 days" value={<Change usd={-1_204.9} percent={-0.93} />} />
          <Stat label="Loading" value={undefined} />
        </Group>
        <Group gap="xl">
          <Sparkline values={["1", "1.1", "1.05", "1.2", null, "1.18", "1.3"]} />
          <Sparkline values={["1.3", "1.2", "1.22", "1.1", "1.05", "0.98"]} />
        </Group>
      </Stack>
    </Section>
  )
}

function Messages() {
  return (
    <Section title="Messages">
      <Stack gap="sm">
        <Problem
          title="The trade failed"
          message={longMessage}
          action={<Button size="compact-xs">Raise the limit</Button>}
        />
        <Problem color="orange" title="Base can’t be read right now" message="Its nodes do not answer." />
        <Alert color="blue" title="A bot needs a gas wallet">Add one under Gas Wallets and fund it.</Alert>
        <Alert color="green" title="Sold 1,000 USDC for 0.332 WETH on uniswapV3." />
        <EmptyState icon={<IconRobot size={22} />} title="No bot yet" action={<Button size="xs">Deploy a bot</Button>}>
          A bot keeps a vault on one side of a pair, day and night.
        </EmptyState>
      </Stack>
    </Section>
  )
}

export function StylePage() {
  const whoAmI = useWhoAmI()
  if (whoAmI.data?.devnet === false) return <NotFoundPage />
  return (
    <Page title="Style" query={whoAmI}>
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Stack>
          <Type />
          <IconsSection />
          <Figures />
        </Stack>
        <Stack>
          <States />
          <Messages />
        </Stack>
      </SimpleGrid>
      <Card withBorder>
        <Title order={2} size="h4">Chart</Title>
        <Suspense fallback={null}>
          <Chart
            data={{
              kind: "value",
              points: curve,
              format: money,
              marks: [{ time: curve[8]?.time ?? 0, side: "buy", text: "B" }]
            }}
          />
        </Suspense>
      </Card>
    </Page>
  )
}
