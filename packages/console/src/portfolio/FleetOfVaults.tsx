/** Linked vaults in one table: value, gains, curve, bots; for managers of many. */
import { Anchor, Card, Group, Text, TextInput } from "@mantine/core"
import { IconSearch } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { allBots } from "../bots/BotState.tsx"
import { useBots } from "../bots/Bots.ts"
import { usePortfolio } from "../performance/Performance.ts"
import { Sparkline } from "../performance/Sparkline.tsx"
import { type FleetColumn, FleetTable } from "../shell/FleetTable.tsx"
import { count, money } from "../shell/Format.ts"
import { NetworkIcon, networkName } from "../shell/Icons.tsx"
import { Change } from "../shell/Stat.tsx"
import { useVaultName } from "../vault/Names.ts"
import { TraderBadge } from "../vault/TraderBadge.tsx"
import { type Link as VaultLink, useLinks } from "../vault/useVaults.ts"

interface Row {
  readonly link: VaultLink
  readonly name: string
  readonly bots: number
  readonly value: string | null
  readonly day: number | null
  readonly all: number | null
  readonly sparkline: ReadonlyArray<string | null>
}

const sortable = (value: number | string | null): number => value === null ? -Infinity : Number(value)

const columns: ReadonlyArray<FleetColumn<Row>> = [
  {
    id: "name",
    label: "Vault",
    sort: ({ name }) => name,
    cell: ({ link: { network, pool }, name }) => (
      <Group gap="xs" wrap="nowrap">
        <NetworkIcon network={network} size={18} />
        <Anchor component={Link} to="/vaults/$network/$pool" params={{ network, pool } as never} size="sm" fw={600}>
          {name}
        </Anchor>
      </Group>
    )
  },
  {
    id: "network",
    label: "Network",
    isWide: true,
    sort: ({ link }) => link.network,
    cell: ({ link }) => networkName(link.network)
  },
  {
    id: "value",
    label: "Value",
    isFigure: true,
    sort: ({ value }) => sortable(value),
    cell: ({ value }) => money(value)
  },
  {
    id: "day",
    label: "Today",
    isFigure: true,
    sort: ({ day }) => sortable(day),
    cell: ({ day }) => <Change percent={day} />
  },
  {
    id: "all",
    label: "All time",
    isFigure: true,
    isWide: true,
    sort: ({ all }) => sortable(all),
    cell: ({ all }) => <Change percent={all} />
  },
  {
    id: "curve",
    label: "7 days",
    isWide: true,
    sort: ({ all }) => sortable(all),
    cell: ({ sparkline }) => <Sparkline values={sparkline} height={24} />
  },
  {
    id: "bots",
    label: "Bots",
    isFigure: true,
    isWide: true,
    sort: ({ bots }) => bots,
    cell: ({ bots }) => bots.toLocaleString("en")
  },
  {
    id: "trader",
    label: "Trader",
    isWide: true,
    sort: ({ link }) => String(link.is_trader),
    cell: ({ link }) => <TraderBadge is_trader={link.is_trader} />
  }
]

export function FleetOfVaults() {
  const links = useLinks().data ?? []
  const portfolio = usePortfolio("7d").data
  const bots = allBots(useBots().data)
  const vaultName = useVaultName()
  const [text, setText] = useState("")
  const botCounts = new Map<string, number>()
  for (const { network, pool } of bots) {
    botCounts.set(`${network}/${pool}`, (botCounts.get(`${network}/${pool}`) ?? 0) + 1)
  }
  const valued = new Map(portfolio?.vaults.map((vault) => [`${vault.network}/${vault.pool}`, vault]))
  const rows = links.map((link): Row => {
    const key = `${link.network}/${link.pool}`
    const vault = valued.get(key)
    return {
      link,
      name: vaultName(link.network, link.pool),
      bots: botCounts.get(key) ?? 0,
      value: vault?.value_usd ?? null,
      day: vault?.day.return_percent ?? null,
      all: vault?.all.return_percent ?? null,
      sparkline: vault?.sparkline ?? []
    }
  })
  const words = text.toLowerCase().split(/\s+/)
  const shown = rows.filter(({ link, name }) => {
    const searched = `${name} ${link.network} ${link.label ?? ""} ${link.pool}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  })
  return (
    <Card withBorder padding="sm">
      <TextInput
        label="Search"
        placeholder="Name, network, gas wallet, address…"
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        mb="sm"
        maw={420}
      />
      <Text size="sm" c="dimmed" mb={4} role="status">
        {shown.length === rows.length
          ? count(rows.length, "vault")
          : `${shown.length} of ${count(rows.length, "vault")}`}
      </Text>
      <FleetTable
        label="Vaults"
        columns={columns}
        rows={shown}
        keyOf={({ link }) => `${link.wallet}/${link.network}/${link.pool}`}
        sortedBy={{ id: "value", isDescending: true }}
      />
    </Card>
  )
}
