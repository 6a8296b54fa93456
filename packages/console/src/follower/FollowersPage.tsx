/** Copy trading: all vaults that follow a leader. */
import { IconUsers } from "@tabler/icons-react"
import { lazy } from "react"
import type { FleetColumn } from "../shell/FleetTable.tsx"
import { money, percent } from "../shell/Format.ts"
import { RowLink } from "../shell/RowLink.tsx"
import { useVaultName } from "../vault/Names.ts"
import { checkedColumn, stateColumn, VaultListPage } from "../vault/VaultListPage.tsx"
import { type Follower, leaderOf, stateOf, useFollowers } from "./Followers.ts"

const FollowerForm = lazy(() => import("./FollowerForm.tsx").then(({ FollowerForm }) => ({ default: FollowerForm })))

interface Named extends Follower {
  readonly vault: string
}

const columns: ReadonlyArray<FleetColumn<Named>> = [
  {
    id: "vault",
    width: 16,
    label: "Vault",
    sort: ({ vault }) => vault,
    cell: ({ network, pool, vault }) => <RowLink to={`/followers/${network}/${pool}`} isStrong>{vault}</RowLink>
  },
  stateColumn(stateOf),
  {
    id: "leader",
    width: 14,
    label: "Leader",
    isWide: true,
    sort: leaderOf,
    cell: leaderOf
  },
  {
    id: "ratio",
    label: "Ratio",
    isFigure: true,
    isWide: true,
    sort: ({ ratio }) => ratio,
    cell: ({ ratio }) => percent(ratio)
  },
  {
    id: "cap",
    label: "Max per trade",
    isFigure: true,
    isWide: true,
    sort: ({ max_usd }) => Number(max_usd),
    cell: ({ max_usd }) => money(max_usd)
  },
  checkedColumn
]

export function FollowersPage() {
  const followers = useFollowers()
  const vaultName = useVaultName()
  return (
    <VaultListPage
      title="Copy Trading"
      to="/followers"
      query={followers}
      rows={(followers.data ?? []).map((each) => ({ ...each, vault: vaultName(each.network, each.pool) }))}
      columns={columns}
      label="Copy trading"
      noun="vault"
      action="Follow a leader"
      form={(vault, close) => <FollowerForm vault={vault} close={close} />}
      empty={{
        icon: <IconUsers size={22} />,
        title: "No vault follows a leader",
        text: "A vault can copy the weights of another vault, or of any wallet: a part of them, within caps, after a " +
          "delay. Before it starts you see what it would trade now."
      }}
    />
  )
}
