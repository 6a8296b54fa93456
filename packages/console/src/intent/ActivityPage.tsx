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
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

const route = getRouteApi("/activity")

function EmptyActivity({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Alert color="blue" title={t("No matches")}>
        <T
          message="No request matches the filters above. <0>Show all</0>"
          parts={[<Anchor component={Link} to="/activity" underline="always" />]}
        />
      </Alert>
    )
  }
  return (
    <Alert color="blue" title={t("Nothing yet")}>
      <T
        message={"Every request that may move funds is listed here: bot trades, approvals, your programs’ calls. " +
          "<0>Deploy a bot</0> and its first decision appears immediately."}
        parts={[<Anchor component={Link} to="/bots" underline="always" />]}
      />
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
          ? t("The CSV file is downloaded.")
          : t("The newest 20,000 rows are downloaded; narrow the filters for older ones.")
      ),
    onError: showError(t("The CSV file was not downloaded"))
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
      {t("Download CSV")}
    </Button>
  )
  return (
    <Page title={t("Activity")} query={newest} actions={save} choice={<FilterRow filters={filters} change={change} />}>
      {newest.data !== undefined && entries.length === 0 && (
        <EmptyActivity isFiltered={Object.keys(filters).length > 0} />
      )}
      <Stack gap="xs" component="section" aria-label={t("Requests")} aria-busy={loading}>
        {entries.map((entry) => <EntryCard key={entry.id} entry={entry} owner={ownerOf(entry.wallet)} />)}
      </Stack>
      {more !== undefined && (
        <Group justify="center">
          <Button variant="default" loading={loading} onClick={more}>{t("Load more")}</Button>
        </Group>
      )}
    </Page>
  )
}
