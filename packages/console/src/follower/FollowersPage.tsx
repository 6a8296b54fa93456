/** Copy trading: all vaults that follow a leader. */
import { Anchor, Button, Card, Text } from "@mantine/core"
import { IconUsers } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { useVaultRef } from "../vault/Authorities.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type FleetColumn, FleetTable } from "../shell/FleetTable.tsx"
import { count, money, percent, unknown } from "../shell/Format.ts"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { Page } from "../shell/Page.tsx"
import { Time } from "../shell/Time.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useVaultName } from "../vault/Names.ts"
import { VaultFilter } from "../vault/VaultFilter.tsx"
import { isAt, useVaultSearch } from "../vault/VaultSearch.ts"
import { type Follower, leaderOf, stateOf, useFollowers } from "./Followers.ts"

const FollowerForm = lazy(() => import("./FollowerForm.tsx").then(({ FollowerForm }) => ({ default: FollowerForm })))

interface Named {
  readonly follower: Follower
  readonly vault: string
}

const columns: ReadonlyArray<FleetColumn<Named>> = [
  {
    id: "vault",
    width: 16,
    label: "Vault",
    sort: ({ vault }) => vault,
    cell: ({ follower: { network, pool }, vault }) => (
      <Anchor
        component={Link}
        to="/followers/$network/$pool"
        params={{ network, pool } as never}
        size="sm"
        fw={600}
      >
        {vault}
      </Anchor>
    )
  },
  {
    id: "state",
    label: "State",
    sort: ({ follower }) => stateOf(follower).rank,
    cell: ({ follower }) => {
      const { color, label } = stateOf(follower)
      return <StatusBadge color={color} label={label} />
    }
  },
  {
    id: "leader",
    width: 14,
    label: "Leader",
    isWide: true,
    sort: ({ follower }) => leaderOf(follower),
    cell: ({ follower }) => leaderOf(follower)
  },
  {
    id: "ratio",
    label: "Ratio",
    isFigure: true,
    isWide: true,
    sort: ({ follower }) => follower.ratio,
    cell: ({ follower }) => percent(follower.ratio)
  },
  {
    id: "cap",
    label: "Max per trade",
    isFigure: true,
    isWide: true,
    sort: ({ follower }) => Number(follower.max_usd),
    cell: ({ follower }) => money(follower.max_usd)
  },
  {
    id: "checked",
    label: "Last check",
    isFigure: true,
    isWide: true,
    sort: ({ follower }) => follower.checked_at ?? "",
    cell: ({ follower }) => follower.checked_at === null ? unknown : <Time at={follower.checked_at} />
  }
]

export function FollowersPage() {
  const followers = useFollowers()
  const vaultName = useVaultName()
  const search = useVaultSearch()
  const vault = useVaultRef(search.network ?? "", search.pool ?? "")
  const { close, dialog, open } = useDialog<"add">()
  const shown = (followers.data ?? []).filter(isAt(search)).map((follower) => ({
    follower,
    vault: vaultName(follower.network, follower.pool)
  }))
  const add = <Button onClick={() => open("add")}>Follow a leader</Button>
  return (
    <Page
      title="Copy Trading"
      query={followers}
      actions={shown.length > 0 && add}
      subtitle={<VaultFilter to="/followers" />}
    >
      <Card withBorder padding="sm">
        {shown.length === 0
          ? (
            <EmptyState icon={<IconUsers size={22} />} title="No vault follows a leader" action={add}>
              A vault can copy the weights of another vault, or of any wallet: a part of them, within caps, after a
              delay. Before it starts you see what it would trade now.
            </EmptyState>
          )
          : (
            <>
              <Text size="sm" c="dimmed" mb={4} role="status">{count(shown.length, "vault")}</Text>
              <FleetTable
                label="Copy trading"
                columns={columns}
                rows={shown}
                keyOf={({ follower }) => follower.id}
                sortedBy={{ id: "state", isDescending: false }}
              />
            </>
          )}
      </Card>
      <Suspense fallback={null}>{dialog === "add" && <FollowerForm vault={vault} close={close} />}</Suspense>
    </Page>
  )
}
