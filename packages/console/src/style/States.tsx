/** States, buttons and stats; messages, banners and what stands where there is nothing yet. */
import { Alert, Badge, Button, Group, Stack } from "@mantine/core"
import { Notice } from "../shell/Overlays.tsx"
import { IconHandStop, IconRefresh, IconRobot } from "@tabler/icons-react"
import { StateBadge, states } from "../bots/BotState.tsx"
import { statusStyles } from "../intent/StatusStyles.ts"
import { CheckMark } from "../shell/CheckMark.tsx"
import { EmptyState } from "../shell/EmptyState.tsx"
import { money } from "../shell/Format.ts"
import { PageSkeleton } from "../shell/Page.tsx"
import { Problem } from "../shell/Problem.tsx"
import { Section } from "../shell/Section.tsx"
import { Change, Stat } from "../shell/Stat.tsx"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { TraderBadge } from "../vault/TraderBadge.tsx"

export function States() {
  return (
    <Section title="States">
      <Stack gap="sm">
        <Group gap="xs">{states.map((state) => <StateBadge key={state} state={state} />)}</Group>
        <Group gap="xs">
          {Object.values(statusStyles).map(({ color, filled, label }) => (
            <Badge key={label} color={color} variant={filled ? "filled" : "dot"}>{label}</Badge>
          ))}
        </Group>
        <Group gap="xs">
          <StatusBadge color="green" label="armed" />
          <StatusBadge color="orange" label="thin" />
          <StatusBadge color="blue" label="in progress" />
          <StatusBadge color="red" label="tripped" />
          <StatusBadge color="gray" label="expired" />
        </Group>
        <Group gap="xs">
          {(["done", "missing", "checking", "unknown"] as const).map((state) => (
            <CheckMark
              key={state}
              state={state}
            />
          ))}
        </Group>
        <Group gap="xs">
          <TraderBadge is_trader />
          <TraderBadge is_trader={false} />
          <TraderBadge is_trader={null} />
        </Group>
      </Stack>
    </Section>
  )
}

export function Buttons() {
  return (
    <Section title="Buttons">
      <Group gap="xs">
        <Button>Trade</Button>
        <Button variant="default">Cancel</Button>
        <Button variant="light">Add</Button>
        <Button variant="subtle">More</Button>
        <Button color="red">Stop</Button>
        <Button disabled>Disabled</Button>
        <Button loading>Loading</Button>
        <Button size="xs">Small</Button>
        <Button size="compact-xs" variant="default">Details</Button>
      </Group>
    </Section>
  )
}

export function Stats() {
  return (
    <Section title="Stats" action={<Button size="compact-sm" variant="subtle">View all</Button>}>
      <Group gap="xl">
        <Stat size="xl" label="Total value" value={money(128_402.11)} hint="of three vaults" />
        <Stat label="Today" value={<Change usd={312.4} percent={0.24} />} />
        <Stat label="7 days" value={<Change usd={-1_204.9} percent={-0.93} />} />
        <Stat label="All time" value={<Change usd={null} percent={null} />} />
        <Stat label="Loading" value={undefined} />
      </Group>
    </Section>
  )
}

const longMessage =
  "Price too far from the oracle: the best quote is 1.05 % worse, your limit is 1 %. Nothing was traded. " +
  "uniswapV3 quoted 0.33012 WETH for 1000 USDC; kyberswap answered HTTP 429 and is passed over for 60 s."

export function Messages() {
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
        <Notice color="green" withCloseButton={false} withBorder>The bot was set.</Notice>
        <Notice color="red" title="You are still signed in" withCloseButton={false} withBorder>
          The service does not respond.
        </Notice>
      </Stack>
    </Section>
  )
}

export function Banners() {
  return (
    <Section title="Banners">
      <Alert
        color="red"
        mb="md"
        py="xs"
        icon={<IconHandStop size={18} aria-hidden="true" />}
        title="Stopped: wallet momentum desk"
      >
        Nothing new is signed for them. Transactions already sent still complete.
      </Alert>
      <Alert
        color="blue"
        icon={<IconRefresh size={18} aria-hidden="true" />}
        title="A new version of the console is ready"
      >
        <Button size="compact-sm" variant="default">Reload</Button>
      </Alert>
    </Section>
  )
}

export function Nothing() {
  return (
    <Section title="Nothing yet">
      <EmptyState icon={<IconRobot size={22} />} title="No bot yet" action={<Button size="xs">Deploy a bot</Button>}>
        A bot keeps a vault on one side of a pair, day and night.
      </EmptyState>
      <PageSkeleton />
    </Section>
  )
}
