/** All threshold and index bots in one table, with a search and filters that are in the page's address. */
import { Card, NativeSelect } from "@mantine/core"
import { IconRobot } from "@tabler/icons-react"
import { lazy, Suspense, useMemo } from "react"
import { BulkBar } from "../bulk/BulkBar.tsx"
import { useSelected } from "../bulk/useSelected.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type FleetColumn, FleetTable } from "../shell/FleetTable.tsx"
import { count, unknown } from "../shell/Format.ts"
import { NetworkIcon, networkName, PairIcon } from "../shell/Icons.tsx"
import { RowLink } from "../shell/RowLink.tsx"
import { Time } from "../shell/Time.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useVaultName } from "../vault/Names.ts"
import { matcherOf, NetworkFilter, TableBar } from "../views/TableBar.tsx"
import { sortOf, sortText, useTableView } from "../views/TableView.ts"
import { type AnyBot, allBots, StateBadge, states } from "../bots/BotState.tsx"
import { useBots, useOwner } from "../bots/Bots.ts"

const BulkBots = lazy(() => import("./BulkBots.tsx").then(({ BulkBots }) => ({ default: BulkBots })))

interface Named extends AnyBot {
  readonly vault: string
  readonly owner: string
}

const columns: ReadonlyArray<FleetColumn<Named>> = [
  {
    id: "name",
    width: 18,
    label: "Bot",
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
    width: 10,
    label: "State",
    sort: ({ state }) => states.indexOf(state),
    group: ({ state }) => state,
    cell: ({ state }) => <StateBadge state={state} />
  },
  {
    id: "vault",
    width: 14,
    label: "Vault",
    sort: ({ vault }) => vault,
    group: ({ network, vault }) => `${vault}, ${networkName(network)}`,
    cell: ({ network, pool, vault }) => <RowLink to={`/vaults/${network}/${pool}`}>{vault}</RowLink>
  },
  {
    id: "network",
    width: 11,
    label: "Network",
    isWide: true,
    sort: ({ network }) => network,
    group: ({ network }) => networkName(network),
    cell: ({ network }) => (
      <span className="cell">
        <NetworkIcon network={network} /> {networkName(network)}
      </span>
    )
  },
  { id: "stance", width: 9, label: "Side", isWide: true, sort: ({ stance }) => stance, cell: ({ stance }) => stance },
  {
    id: "owner",
    width: 13,
    label: "Gas wallet",
    isWide: true,
    sort: ({ owner }) => owner,
    group: ({ owner }) => owner,
    cell: ({ owner }) => owner
  },
  {
    id: "reason",
    width: 18,
    label: "Last decision",
    isWide: true,
    sort: ({ reason }) => reason,
    cell: ({ reason }) => <span title={reason}>{reason}</span>
  },
  {
    id: "next",
    width: 11,
    label: "Next check",
    isFigure: true,
    isWide: true,
    sort: ({ nextCheck }) => nextCheck === null ? Infinity : Date.parse(nextCheck),
    cell: ({ nextCheck }) => nextCheck === null ? unknown : <Time at={nextCheck} />
  }
]

const textOf = ({ name, network, owner, reason, stance, state, vault }: Named): string =>
  `${name} ${vault} ${network} ${owner} ${stance} ${state} ${reason}`

export type BotAction = "pause" | "resume" | "remove"

const actions: ReadonlyArray<readonly [BotAction, string]> = [
  ["pause", "Pause"],
  ["resume", "Resume"],
  ["remove", "Remove"]
]

const keyOf = ({ key }: Named) => key
const titleOf = ({ name, vault }: Named) => `${name} on ${vault}`

/** The tab of the table, in its URL. */
const fixed = { kind: "all" }

const byState = { id: "state", isDescending: false }

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
  const { replace, set, view } = useTableView(fixed)
  const { state = "", network = "" } = view
  const shown = useMemo(() => {
    const matches = matcherOf(view)
    return named.filter((bot) =>
      (state === "" || bot.state === state) && (network === "" || bot.network === network) && matches(textOf(bot))
    )
  }, [named, view])
  const { clear, rows: selected, selection } = useSelected(shown, keyOf, titleOf)
  const { close, dialog, open } = useDialog<BotAction>()
  const networks = [...new Set(named.map((bot) => bot.network))].sort()
  return (
    <Card withBorder padding="sm">
      <TableBar
        table="bots"
        placeholder="Pair, vault, wallet, reason…"
        {...{ columns, replace, set, view }}
      >
        <NativeSelect
          label="State"
          value={state}
          data={[{ value: "", label: "All states" }, ...states]}
          onChange={(event) => set({ state: event.currentTarget.value })}
        />
        <NetworkFilter
          {...{ set, view }}
          names={networks.map((each) => ({ value: each, label: networkName(each) }))}
        />
      </TableBar>
      <BulkBar
        status={shown.length === named.length
          ? count(named.length, "bot")
          : `${shown.length} of ${count(named.length, "bot")}`}
        count={selected.length}
        {...{ actions, clear }}
        choose={open}
      />
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
            keyOf={keyOf}
            sortedBy={byState}
            sort={sortOf(view, byState)}
            onSort={(sort) => set({ sort: sortText(sort) })}
            groupBy={view.group}
            selection={selection}
          />
        )}
      <Suspense fallback={null}>
        {dialog !== undefined && <BulkBots name={dialog} bots={selected} everyBot={named} close={close} />}
      </Suspense>
    </Card>
  )
}
