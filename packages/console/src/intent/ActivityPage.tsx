/** Activity: what was asked of chains and exchanges, what came of it, and what to do where it failed. */
import { Alert, Anchor, Button, Group, Stack } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { Page } from "../shell/Page.tsx"
import { done, told } from "../shell/Notices.ts"
import { download, useActivity } from "./Activity.ts"
import { EntryCard } from "./EntryCard.tsx"
import { FilterRow } from "./FilterRow.tsx"
import { type Filters, filtersOf } from "./Filters.ts"

const route = getRouteApi("/activity")

function Nothing({ chosen }: { readonly chosen: boolean }) {
  if (chosen) return <Alert color="blue" title="Nothing like that">No request fits what you have chosen above. <Anchor component={Link} to="/activity" underline="always">Show everything</Anchor></Alert>
  return (
    <Alert color="blue" title="Nothing yet">
      Every request that may move funds is listed here: trades of bots, approvals, calls of your programs.
      {" "}<Anchor component={Link} to="/bots" underline="always">Deploy a bot</Anchor> and its first turn appears at once.
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
    onSuccess: (all) => done(all ? "The table is downloaded." : "The newest 20,000 rows are downloaded; choose less for the older ones."),
    onError: told("The table was not downloaded")
  })
  const change = (changed: Filters) => void navigate({ to: ".", search: () => filtersOf({ ...changed }), replace: true })
  const ownerOf = (address: string) => nameOf(wallets.data?.find((wallet) => wallet.address === address) ?? { address, label: null })
  const save = <Button variant="default" loading={saving.isPending} disabled={entries.length === 0} onClick={() => saving.mutate()}>Download CSV</Button>
  return (
    <Page title="Activity" asked={newest} actions={save} choice={<FilterRow filters={filters} change={change} />}>
      {newest.data !== undefined && entries.length === 0 && <Nothing chosen={Object.keys(filters).length > 0} />}
      <Stack gap="xs" component="section" aria-label="Requests" aria-busy={loading}>
        {entries.map((entry) => <EntryCard key={entry.id} entry={entry} owner={ownerOf(entry.wallet)} />)}
      </Stack>
      {more !== undefined && <Group justify="center"><Button variant="default" loading={loading} onClick={more}>Load more</Button></Group>}
    </Page>
  )
}
