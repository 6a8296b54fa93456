/** Guardians of all vaults, those that need a person first. */
import { Anchor, Button, Card, Text } from "@mantine/core"
import { IconShieldHalf } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type FleetColumn, FleetTable } from "../shell/FleetTable.tsx"
import { count, unknown } from "../shell/Format.ts"
import { Page } from "../shell/Page.tsx"
import { Time } from "../shell/Time.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useVaultRef } from "../vault/Authorities.ts"
import { VaultLink, VaultName } from "../vault/VaultLink.tsx"
import { VaultFilter } from "../vault/VaultFilter.tsx"
import { isAt, useVaultSearch } from "../vault/VaultSearch.ts"
import { GuardianBadge } from "./GuardianBadge.tsx"
import { type Guardian, kindLabels, stateOf, useGuardians, watchesOf } from "./Guardians.ts"

const GuardianForm = lazy(() => import("./GuardianForm.tsx").then(({ GuardianForm }) => ({ default: GuardianForm })))

const columns: ReadonlyArray<FleetColumn<Guardian>> = [
  {
    id: "kind",
    width: 14,
    label: "Guardian",
    sort: ({ kind }) => kindLabels[kind].label,
    cell: ({ kind, network, pool }) => (
      <>
        <Anchor
          component={Link}
          to="/guardians/$network/$pool/$kind"
          params={{ network, pool, kind } as never}
          size="sm"
          fw={600}
        >
          {kindLabels[kind].label}
        </Anchor>
        <VaultName network={network} pool={pool} />
      </>
    )
  },
  {
    id: "state",
    label: "State",
    sort: (guardian) => stateOf(guardian).rank,
    cell: (guardian) => <GuardianBadge guardian={guardian} />
  },
  {
    id: "vault",
    width: 14,
    label: "Vault",
    isWide: true,
    sort: ({ network, pool }) => `${network}/${pool}`,
    cell: ({ network, pool }) => <VaultLink network={network} pool={pool} />
  },
  {
    id: "watches",
    width: 22,
    label: "Watches",
    isWide: true,
    sort: watchesOf,
    cell: (guardian) => <span title={watchesOf(guardian)}>{watchesOf(guardian)}</span>
  },
  {
    id: "reading",
    width: 22,
    label: "Last reading",
    isWide: true,
    sort: ({ reading }) => reading ?? "",
    cell: ({ reading }) => <span title={reading ?? ""}>{reading ?? unknown}</span>
  },
  {
    id: "checked",
    label: "Last check",
    isFigure: true,
    isWide: true,
    sort: ({ checked_at }) => checked_at ?? "",
    cell: ({ checked_at }) => checked_at === null ? unknown : <Time at={checked_at} />
  }
]

export function GuardiansPage() {
  const guardians = useGuardians()
  const search = useVaultSearch()
  const vault = useVaultRef(search.network ?? "", search.pool ?? "")
  const { close, dialog, open } = useDialog<"add">()
  const shown = (guardians.data ?? []).filter(isAt(search))
  const add = <Button onClick={() => open("add")}>Add a guardian</Button>
  return (
    <Page
      title="Guardians"
      query={guardians}
      actions={shown.length > 0 && add}
      subtitle={<VaultFilter to="/guardians" />}
    >
      <Card withBorder padding="sm">
        {shown.length === 0
          ? (
            <EmptyState icon={<IconShieldHalf size={22} />} title="No guardian yet" action={add}>
              A guardian watches a vault day and night, also while this page is closed. It repays debt before a
              liquidation, stops bots after a loss, holds trades on bad prices, or reports that gas runs low.
            </EmptyState>
          )
          : (
            <>
              <Text size="sm" c="dimmed" mb={4} role="status">{count(shown.length, "guardian")}</Text>
              <FleetTable
                label="Guardians"
                columns={columns}
                rows={shown}
                keyOf={({ id }) => id}
                sortedBy={{ id: "state", isDescending: false }}
              />
            </>
          )}
      </Card>
      <Suspense fallback={null}>{dialog === "add" && <GuardianForm vault={vault} close={close} />}</Suspense>
    </Page>
  )
}
