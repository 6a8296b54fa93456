/** Activity: requests to chains and exchanges, their outcomes, and next steps after failures. */
import { Alert, Anchor, Button, Group, Stack } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { Page } from "../shell/Page.tsx"
import { showError, showSuccess } from "../shell/Notices.ts"
import { download, useActivity } from "./Activity.ts"
import { EntryCard } from "./EntryCard.tsx"
import { FilterRow } from "./FilterRow.tsx"
import { type Filters, filtersOf } from "./Filters.ts"

const route = getRouteApi("/activity")

function EmptyActivity({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Alert color="blue" title="No matches">
        No request matches the filters above.{" "}
        <Anchor component={Link} to="/activity" underline="always">Show all</Anchor>
      </Alert>
    )
  }
  return (
    <Alert color="blue" title="Nothing yet">
      Every request that may move funds is listed here: bot trades, approvals, your programs’ calls.{" "}
      <Anchor component={Link} to="/bots" underline="always">Deploy a bot</Anchor>{" "}
      and its first decision appears immediately.
    </Alert>
  )
}

export function ActivityPage() {
  const filters = filtersOf(route.useSearch())
  const navigate = route.useNavigate()
  const wallets = useWallets()
  const { loading, more, newest, rows: entries } = useActivity(filters)
  const saving = useMutation({
    mutationFn: () => download(filters),
    onSuccess: (all) =>
      showSuccess(
        all
          ? "The CSV file is downloaded."
          : "The newest 20,000 rows are downloaded; narrow the filters for older ones."
      ),
    onError: showError("The CSV file was not downloaded")
  })
  const change = (changed: Filters) =>
    void navigate({ to: ".", search: () => filtersOf({ ...changed }), replace: true })
  const ownerOf = (address: string) =>
    nameOf(wallets.data?.find((wallet) => wallet.address === address) ?? { address, label: null })
  const save = (
    <Button
      variant="default"
      loading={saving.isPending}
      disabled={entries.length === 0}
      onClick={() => saving.mutate()}
    >
      Download CSV
    </Button>
  )
  return (
    <Page title="Activity" query={newest} actions={save} choice={<FilterRow filters={filters} change={change} />}>
      {newest.data !== undefined && entries.length === 0 && (
        <EmptyActivity isFiltered={Object.keys(filters).length > 0} />
      )}
      <Stack gap="xs" component="section" aria-label="Requests" aria-busy={loading}>
        {entries.map((entry) => <EntryCard key={entry.id} entry={entry} owner={ownerOf(entry.wallet)} />)}
      </Stack>
      {more !== undefined && (
        <Group justify="center">
          <Button variant="default" loading={loading} onClick={more}>Load more</Button>
        </Group>
      )}
    </Page>
  )
}
