/** All threshold and index bots in one table, with a search and filters that are in the page's address. */
import { Anchor, Card, Group, NativeSelect, Text, TextInput } from "@mantine/core"
import { IconRobot, IconSearch } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type FleetColumn, FleetTable } from "../shell/FleetTable.tsx"
import { count, unknown } from "../shell/Format.ts"
import { NetworkIcon, networkName, PairIcon } from "../shell/Icons.tsx"
import { Time } from "../shell/Time.tsx"
import { useVaultName } from "../vault/Names.ts"
import { type AnyBot, allBots, StateBadge, states } from "./BotState.tsx"
import { useBots, useOwner } from "./Bots.ts"

interface Named extends AnyBot {
  readonly vault: string
  readonly owner: string
}

const columns: ReadonlyArray<FleetColumn<Named>> = [
  {
    id: "name",
    label: "Bot",
    sort: ({ name }) => name,
    cell: ({ name, network, pair, pool }) => (
      <Group gap="xs" wrap="nowrap">
        {pair === null ? <IconRobot size={20} aria-hidden="true" /> : <PairIcon pair={pair} size={20} />}
        <Anchor
          component={Link}
          to="/bots/$network/$pool/$pair"
          params={{ network, pool, pair: pair ?? "index" } as never}
          size="sm"
          fw={600}
        >
          {name}
        </Anchor>
      </Group>
    )
  },
  {
    id: "state",
    label: "State",
    sort: ({ state }) => states.indexOf(state),
    cell: ({ state }) => <StateBadge state={state} />
  },
  {
    id: "vault",
    label: "Vault",
    sort: ({ vault }) => vault,
    cell: ({ network, pool, vault }) => (
      <Anchor component={Link} to="/vaults/$network/$pool" params={{ network, pool } as never} size="sm">
        {vault}
      </Anchor>
    )
  },
  {
    id: "network",
    label: "Network",
    isWide: true,
    sort: ({ network }) => network,
    cell: ({ network }) => (
      <Group gap={6} wrap="nowrap">
        <NetworkIcon network={network} /> {networkName(network)}
      </Group>
    )
  },
  { id: "stance", label: "Side", isWide: true, sort: ({ stance }) => stance, cell: ({ stance }) => stance },
  { id: "owner", label: "Gas wallet", isWide: true, sort: ({ owner }) => owner, cell: ({ owner }) => owner },
  {
    id: "reason",
    label: "Last decision",
    isWide: true,
    sort: ({ reason }) => reason,
    cell: ({ reason }) => <span title={reason}>{reason}</span>
  },
  {
    id: "next",
    label: "Next check",
    isFigure: true,
    isWide: true,
    sort: ({ nextCheck }) => nextCheck === null ? Infinity : Date.parse(nextCheck),
    cell: ({ nextCheck }) => nextCheck === null ? unknown : <Time at={nextCheck} />
  }
]

const matches = (
  { name, network, owner, reason, stance, state, vault }: Named,
  words: ReadonlyArray<string>
): boolean => {
  const text = `${name} ${vault} ${network} ${owner} ${stance} ${state} ${reason}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

export function FleetOfBots({ setState, state }: {
  /** Shows only bots in this state. */
  readonly state: string | undefined
  readonly setState: (state: string | undefined) => void
}) {
  const bots = useBots().data
  const vaultName = useVaultName()
  const ownerOf = useOwner()
  const [text, setText] = useState("")
  const [network, setNetwork] = useState("")
  const named = useMemo(
    () =>
      allBots(bots).map((bot) => ({
        ...bot,
        vault: vaultName(bot.network, bot.pool),
        owner: ownerOf(bot.gasWallet)
      })),
    [bots, vaultName, ownerOf]
  )
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "")
  const shown = named.filter((bot) =>
    (state === undefined || bot.state === state) && (network === "" || bot.network === network) && matches(bot, words)
  )
  const networks = [...new Set(named.map((bot) => bot.network))].sort()
  return (
    <Card withBorder padding="sm">
      <Group gap="xs" mb="sm" align="flex-end">
        <TextInput
          label="Search"
          placeholder="Pair, vault, wallet, reason…"
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          style={{ flex: "1 1 220px" }}
        />
        <NativeSelect
          label="State"
          value={state ?? ""}
          data={[{ value: "", label: "All states" }, ...states]}
          onChange={(event) => setState(event.currentTarget.value === "" ? undefined : event.currentTarget.value)}
        />
        <NativeSelect
          label="Network"
          value={network}
          data={[
            { value: "", label: "All networks" },
            ...networks.map((each) => ({ value: each, label: networkName(each) }))
          ]}
          onChange={(event) => setNetwork(event.currentTarget.value)}
        />
      </Group>
      <Text size="sm" c="dimmed" mb={4} role="status">
        {shown.length === named.length
          ? count(named.length, "bot")
          : `${shown.length} of ${count(named.length, "bot")}`}
      </Text>
      {shown.length === 0
        ? (
          <EmptyState icon={<IconRobot size={22} />} title="No bot matches">
            Search for a pair, a vault, a gas wallet or a reason, or show all states and networks.
          </EmptyState>
        )
        : (
          <FleetTable
            label="Bots"
            columns={columns}
            rows={shown}
            keyOf={({ key }) => key}
            sortedBy={{ id: "state", isDescending: false }}
          />
        )}
    </Card>
  )
}
