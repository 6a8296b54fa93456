/** All threshold and index bots in one table, with a search and filters that are in the page's address. */
import { Card, NativeSelect } from "@mantine/core"
import { IconRobot } from "@tabler/icons-react"
import { lazy, useMemo } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import type { FleetColumn } from "../shell/FleetTable.tsx"
import { unknown } from "../shell/Format.ts"
import { NetworkIcon, networkName, PairIcon } from "../shell/Icons.tsx"
import { RowLink } from "../shell/RowLink.tsx"
import { useVaultName } from "../vault/Names.ts"
import { Fleet, type FleetKind } from "../fleet/Fleet.tsx"
import { useTableView } from "../views/TableView.ts"
import { type AnyBot, allBots, StateBadge, stateLabels, states } from "../bots/BotState.tsx"
import { NextCheck } from "../bots/NextCheck.tsx"
import { useBots, useOwner } from "../bots/Bots.ts"
import { t } from "../text/Text.ts"

const BulkBots = lazy(() => import("./BulkBots.tsx").then(({ BulkBots }) => ({ default: BulkBots })))

interface Named extends AnyBot {
  readonly vault: string
  readonly owner: string
}

const columns: ReadonlyArray<FleetColumn<Named>> = [
  {
    id: "name",
    width: 19,
    label: t("Bot"),
    sort: ({ name }) => name,
    cell: ({ name, network, pair, pool }) => (
      <span className="cell">
        {pair === null ? <IconRobot size={20} aria-hidden="true" /> : <PairIcon pair={pair} size={20} />}
        <RowLink to={`/bots/${network}/${pool}/${pair ?? "index"}`} isStrong>{name}</RowLink>
      </span>
    )
  },
  {
    id: "state",
    width: 11,
    label: t("State"),
    sort: ({ state }) => states.indexOf(state),
    group: ({ state }) => stateLabels[state],
    cell: ({ state }) => <StateBadge state={state} />
  },
  {
    id: "vault",
    width: 13,
    label: t("Vault"),
    sort: ({ vault }) => vault,
    group: ({ network, vault }) => `${vault}, ${networkName(network)}`,
    cell: ({ network, pool, vault }) => <RowLink to={`/vaults/${network}/${pool}`}>{vault}</RowLink>
  },
  {
    id: "network",
    width: 14,
    label: t("Network"),
    isWide: true,
    sort: ({ network }) => network,
    group: ({ network }) => networkName(network),
    cell: ({ network }) => (
      <span className="cell">
        <NetworkIcon network={network} /> {networkName(network)}
      </span>
    )
  },
  {
    id: "stance",
    width: 9,
    label: t("Side"),
    isWide: true,
    sort: ({ stance }) => stance,
    cell: ({ stance }) => stance
  },
  {
    id: "owner",
    width: 13,
    label: t("Gas wallet"),
    isWide: true,
    sort: ({ owner }) => owner,
    group: ({ owner }) => owner,
    cell: ({ owner }) => owner
  },
  {
    id: "reason",
    width: 12,
    label: t("Last decision"),
    isWide: true,
    sort: ({ reason }) => reason,
    cell: ({ reason }) => <span title={reason}>{reason}</span>
  },
  {
    id: "next",
    width: 15,
    label: t("Next check"),
    isFigure: true,
    isWide: true,
    sort: ({ nextCheck }) => nextCheck === null ? Infinity : Date.parse(nextCheck),
    cell: ({ nextCheck }) => nextCheck === null ? unknown : <NextCheck at={nextCheck} />
  }
]

export type BotAction = "pause" | "resume" | "remove"

const actions: ReadonlyArray<readonly [BotAction, string]> = [
  ["pause", t("Pause")],
  ["resume", t("Resume")],
  ["remove", t("Remove")]
]

const kind: FleetKind<Named> = {
  table: "bots",
  label: t("Bots"),
  countOf: (count) => t("{count, plural, one {# bot} other {# bots}}", { count }),
  placeholder: t("Pair, vault, wallet, reason…"),
  columns,
  sortedBy: { id: "state", isDescending: false },
  keyOf: ({ key }) => key,
  nameOf: ({ name, vault }) => t("{name} on {vault}", { name, vault }),
  networkOf: ({ network }) => network,
  textOf: ({ name, network, owner, reason, stance, state, vault }) =>
    `${name} ${vault} ${network} ${owner} ${stance} ${stateLabels[state]} ${reason}`,
  keep: (bot, { state = "" }) => state === "" || bot.state === state,
  tagKeyOf: ({ key }) => key
}

/** The tab of the table, in its URL. */
const fixed = { kind: "all" }

/** Lists all bots with the names of their vaults and wallets. */
const useNamed = (): ReadonlyArray<Named> => {
  const bots = useBots().data
  const vaultName = useVaultName()
  const ownerOf = useOwner()
  return useMemo(
    () =>
      allBots(bots).map((bot) => ({
        ...bot,
        vault: vaultName(bot.network, bot.pool),
        owner: ownerOf(bot.gasWallet)
      })),
    [bots, vaultName, ownerOf]
  )
}

export function FleetOfBots() {
  const named = useNamed()
  const view = useTableView(fixed)
  return (
    <Card withBorder padding="sm">
      <Fleet
        kind={kind}
        rows={named}
        view={view}
        actions={actions}
        filters={
          <NativeSelect
            label={t("State")}
            value={view.view.state ?? ""}
            data={[
              { value: "", label: t("All states") },
              ...states.map((value) => ({ value, label: stateLabels[value] }))
            ]}
            onChange={(event) => view.set({ state: event.currentTarget.value })}
          />
        }
        empty={
          <EmptyState icon={<IconRobot size={22} />} title={t("No bot matches")}>
            {t("Search for a pair, a vault, a gas wallet, a tag or a reason, or show all states and networks.")}
          </EmptyState>
        }
      >
        {(name, selected, close) => <BulkBots name={name} bots={selected} everyBot={named} close={close} />}
      </Fleet>
    </Card>
  )
}
