/** Copy trading: all vaults that follow a leader. */
import { IconUsers } from "@tabler/icons-react"
import { lazy } from "react"
import type { FleetColumn } from "../shell/FleetTable.tsx"
import { money, percent } from "../shell/Format.ts"
import { RowLink } from "../shell/RowLink.tsx"
import { useVaultName } from "../vault/Names.ts"
import { checkedColumn, stateColumn, VaultListPage } from "../vault/VaultListPage.tsx"
import { type Follower, leaderOf, stateOf, useFollowers } from "./Followers.ts"
import { t } from "../text/Text.ts"

const FollowerForm = lazy(() => import("./FollowerForm.tsx").then(({ FollowerForm }) => ({ default: FollowerForm })))

interface Named extends Follower {
  readonly vault: string
}

const columns: ReadonlyArray<FleetColumn<Named>> = [
  {
    id: "vault",
    width: 16,
    label: t("Vault"),
    sort: ({ vault }) => vault,
    cell: ({ network, pool, vault }) => <RowLink to={`/followers/${network}/${pool}`} isStrong>{vault}</RowLink>
  },
  stateColumn(stateOf),
  {
    id: "leader",
    width: 14,
    label: t("Leader"),
    isWide: true,
    sort: leaderOf,
    cell: leaderOf
  },
  {
    id: "ratio",
    label: t("Ratio"),
    isFigure: true,
    isWide: true,
    sort: ({ ratio }) => ratio,
    cell: ({ ratio }) => percent(ratio)
  },
  {
    id: "cap",
    label: t("Max per trade"),
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
      title={t("Copy Trading")}
      to="/followers"
      query={followers}
      rows={(followers.data ?? []).map((each) => ({ ...each, vault: vaultName(each.network, each.pool) }))}
      columns={columns}
      label={t("Copy trading")}
      countOf={(count) => t("{count, plural, one {# vault} other {# vaults}}", { count })}
      action={t("Follow a leader")}
      form={(vault, close) => <FollowerForm vault={vault} close={close} />}
      empty={{
        icon: <IconUsers size={22} />,
        title: t("No vault follows a leader"),
        text: t(
          "A vault can copy the weights of another vault, or of any wallet: a part of them, within caps, " +
            "after a delay. Before it starts you see what it would trade now."
        )
      }}
    />
  )
}
