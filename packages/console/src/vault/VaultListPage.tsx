/** A page that lists what is set at vaults: all of it or that of one vault, with the form that sets another one. */
import { Button, Card, Text } from "@mantine/core"
import { type ReactNode, Suspense } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type FleetColumn, FleetTable } from "../shell/FleetTable.tsx"
import { unknown } from "../shell/Format.ts"
import { Page } from "../shell/Page.tsx"
import { RowLink } from "../shell/RowLink.tsx"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { Time } from "../shell/Time.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useVaultRef } from "./Authorities.ts"
import { VaultFilter } from "./VaultFilter.tsx"
import { VaultName } from "./VaultLink.tsx"
import type { VaultRef } from "./VaultRef.ts"
import { isAt, useVaultSearch } from "./VaultSearch.ts"
import { t } from "../text/Text.ts"

/** A thing that is set at a vault and checked again and again. */
export interface SetAtVault {
  readonly id: string
  readonly network: string
  readonly pool: string
  readonly checked_at: string | null
}

/** How people read a state; those that need a person have the lowest rank. */
export interface StateLabel {
  readonly label: string
  readonly color: string
  readonly rank: number
}

/** Links a row to its page; phones, which have no column of vaults, show the vault below the name. */
export function RowName({ children, row: { network, pool }, to }: {
  readonly to: string
  readonly row: Pick<SetAtVault, "network" | "pool">
  readonly children: string
}) {
  return (
    <>
      <RowLink to={to} isStrong>{children}</RowLink>
      <VaultName network={network} pool={pool} />
    </>
  )
}

/** Returns the column of states. */
export const stateColumn = <Row extends SetAtVault>(stateOf: (row: Row) => StateLabel): FleetColumn<Row> => ({
  id: "state",
  width: 17,
  label: t("State"),
  sort: (row) => stateOf(row).rank,
  cell: (row) => {
    const { color, label } = stateOf(row)
    return <StatusBadge color={color} label={label} />
  }
})

export const checkedColumn: FleetColumn<SetAtVault> = {
  id: "checked",
  width: 13,
  label: t("Last check"),
  isFigure: true,
  isWide: true,
  sort: ({ checked_at }) => checked_at ?? "",
  cell: ({ checked_at }) => checked_at === null ? unknown : <Time at={checked_at} />
}

const keyOf = ({ id }: SetAtVault) => id

const byState = { id: "state", isDescending: false }

export function VaultListPage<Row extends SetAtVault>(
  { action, children, columns, countOf, empty, form, label, query, rows, title, to }: {
    readonly title: string
    /** The page's path. */
    readonly to: "/guardians" | "/followers" | "/strategies"
    readonly query: Parameters<typeof Page>[0]["query"]
    readonly rows: ReadonlyArray<Row>
    readonly columns: ReadonlyArray<FleetColumn<Row>>
    /** The table's name. */
    readonly label: string
    /** Names a count of rows. */
    readonly countOf: (count: number) => string
    /** The label of the button that opens the form. */
    readonly action: string
    readonly form: (vault: VaultRef | undefined, close: () => void) => ReactNode
    /** Teaches what the page is for while it has nothing. */
    readonly empty: { readonly icon: ReactNode; readonly title: string; readonly text: string }
    readonly children?: (vault: VaultRef | undefined) => ReactNode
  }
) {
  const search = useVaultSearch()
  const vault = useVaultRef(search.network ?? "", search.pool ?? "")
  const { close, dialog, open } = useDialog<"add">()
  const shown = rows.filter(isAt(search))
  const add = <Button onClick={() => open("add")}>{action}</Button>
  return (
    <Page title={title} query={query} actions={shown.length > 0 && add} subtitle={<VaultFilter to={to} />}>
      <Card withBorder padding="sm">
        {shown.length === 0
          ? <EmptyState icon={empty.icon} title={empty.title} action={add}>{empty.text}</EmptyState>
          : (
            <>
              <Text size="sm" c="dimmed" mb={4} role="status">{countOf(shown.length)}</Text>
              <FleetTable label={label} columns={columns} rows={shown} keyOf={keyOf} sortedBy={byState} />
            </>
          )}
      </Card>
      {children?.(vault)}
      <Suspense fallback={null}>{dialog === "add" && form(vault, close)}</Suspense>
    </Page>
  )
}
