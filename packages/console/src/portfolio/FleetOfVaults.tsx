/** Linked vaults in one table: value, gains, curve, bots; for managers of many. */
import { Card } from "@mantine/core"
import { IconBuildingBank } from "@tabler/icons-react"
import { useMemo } from "react"
import { allBots } from "../bots/BotState.tsx"
import { useBots } from "../bots/Bots.ts"
import { usePortfolio } from "../performance/Performance.ts"
import { Sparkline } from "../performance/Sparkline.tsx"
import { EmptyState } from "../shell/EmptyState.tsx"
import type { FleetColumn } from "../shell/FleetTable.tsx"
import { money } from "../shell/Format.ts"
import { NetworkIcon, networkName } from "../shell/Icons.tsx"
import { RowLink } from "../shell/RowLink.tsx"
import { Change } from "../shell/Stat.tsx"
import { useVaultName } from "../vault/Names.ts"
import { TraderBadge } from "../vault/TraderBadge.tsx"
import { type Link as VaultLink, useLinks } from "../vault/useVaults.ts"
import { vaultKeyOf } from "../vault/VaultRef.ts"
import { Fleet, type FleetKind } from "../fleet/Fleet.tsx"
import { useTableView } from "../views/TableView.ts"
import { locale, t } from "../text/Text.ts"

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
    width: 18,
    label: t("Vault"),
    sort: ({ name }) => name,
    cell: ({ link: { network, pool }, name }) => (
      <span className="cell">
        <NetworkIcon network={network} size={18} />
        <RowLink to={`/vaults/${network}/${pool}`} isStrong>{name}</RowLink>
      </span>
    )
  },
  {
    id: "network",
    label: t("Network"),
    isWide: true,
    sort: ({ link }) => link.network,
    group: ({ link }) => networkName(link.network),
    cell: ({ link }) => networkName(link.network)
  },
  {
    id: "value",
    label: t("Value"),
    isFigure: true,
    sort: ({ value }) => sortable(value),
    cell: ({ value }) => money(value)
  },
  {
    id: "day",
    label: t("Today"),
    isFigure: true,
    sort: ({ day }) => sortable(day),
    cell: ({ day }) => <Change percent={day} />
  },
  {
    id: "all",
    label: t("All time"),
    isFigure: true,
    isWide: true,
    sort: ({ all }) => sortable(all),
    cell: ({ all }) => <Change percent={all} />
  },
  {
    id: "curve",
    width: 12,
    label: t("7 days"),
    isWide: true,
    sort: ({ all }) => sortable(all),
    cell: ({ sparkline }) => <Sparkline values={sparkline} height={24} />
  },
  {
    id: "bots",
    width: 7,
    label: t("Bots"),
    isFigure: true,
    isWide: true,
    sort: ({ bots }) => bots,
    cell: ({ bots }) => bots.toLocaleString(locale)
  },
  {
    id: "trader",
    label: t("Trader"),
    isWide: true,
    sort: ({ link }) => String(link.is_trader),
    group: ({ link }) => link.is_trader === null ? t("not known") : link.is_trader ? t("trader") : t("not the trader"),
    cell: ({ link }) => <TraderBadge is_trader={link.is_trader} />
  }
]

const kind: FleetKind<Row> = {
  table: "vaults",
  label: t("Vaults"),
  countOf: (count) => t("{count, plural, one {# vault} other {# vaults}}", { count }),
  placeholder: t("Name, network, gas wallet, address…"),
  columns,
  sortedBy: { id: "value", isDescending: true },
  keyOf: ({ link: { network, pool, wallet } }) => `${wallet}/${network}/${pool}`,
  nameOf: ({ name }) => name,
  networkOf: ({ link }) => link.network,
  textOf: ({ link: { label, network, pool }, name }) => `${name} ${network} ${label ?? ""} ${pool}`,
  tagKeyOf: ({ link }) => vaultKeyOf(link)
}

/** Lists the linked vaults with their names, values and bots. */
const useRows = (): ReadonlyArray<Row> => {
  const links = useLinks().data
  const portfolio = usePortfolio("7d").data
  const bots = useBots().data
  const vaultName = useVaultName()
  return useMemo(() => {
    const botCounts = new Map<string, number>()
    for (const { network, pool } of allBots(bots)) {
      botCounts.set(`${network}/${pool}`, (botCounts.get(`${network}/${pool}`) ?? 0) + 1)
    }
    const valued = new Map(portfolio?.vaults.map((vault) => [`${vault.network}/${vault.pool}`, vault]))
    return (links ?? []).map((link): Row => {
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
  }, [links, portfolio, bots, vaultName])
}

export function FleetOfVaults() {
  const rows = useRows()
  return (
    <Card withBorder padding="sm">
      <Fleet
        kind={kind}
        rows={rows}
        view={useTableView()}
        empty={
          <EmptyState icon={<IconBuildingBank size={22} />} title={t("No vault matches")}>
            {t("Search for a name, a network, a gas wallet, a tag or an address, or show all networks.")}
          </EmptyState>
        }
      />
    </Card>
  )
}
