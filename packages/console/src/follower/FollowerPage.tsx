/** A vault that follows a leader: the weights beside its targets, its trades, what is not copied and why, its terms. */
import { Button, Card, SimpleGrid, Stack, Text } from "@mantine/core"
import { IconUsers } from "@tabler/icons-react"
import { useMutation } from "@tanstack/react-query"
import { lazy, Suspense } from "react"
import { PauseBots } from "../bots/PauseBots.tsx"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { Address } from "../shell/Address.tsx"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type Fact, Facts } from "../shell/Facts.tsx"
import { amount, money, percent, spanOf, unknown } from "../shell/Format.ts"
import { showError, showSuccess } from "../shell/Notices.ts"
import { Problem } from "../shell/Problem.tsx"
import { ConfirmedChange } from "../shell/ConfirmedChange.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import { Stat } from "../shell/Stat.tsx"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { Steps } from "../shell/Steps.tsx"
import { Time } from "../shell/Time.tsx"
import { entriesOf, Timeline } from "../shell/Timeline.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useVaultName } from "../vault/Names.ts"
import { useVaultOfPage, VaultItemPage } from "../vault/VaultItemPage.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import {
  copiesOf,
  type Follower,
  type FollowerDetails,
  leaderOf,
  paramsOf,
  stateOf,
  useFollowerOf
} from "./Followers.ts"
import { t } from "../text/Text.ts"

const FollowerForm = lazy(() => import("./FollowerForm.tsx").then(({ FollowerForm }) => ({ default: FollowerForm })))

const eventLabels: Readonly<Record<FollowerDetails["events"][number]["kind"], string>> = {
  set: t("Set"),
  trade_begun: t("Trade begun"),
  trade_succeeded: t("Traded"),
  trade_failed: t("Trade failed"),
  stopped: t("Stopped"),
  failed: t("Needs a person"),
  removed: t("Removed")
}

const eventStates = {
  trade_begun: "open",
  trade_succeeded: "done",
  trade_failed: "failed",
  stopped: "failed",
  failed: "failed"
} as const

const termsOf = (follower: Follower): ReadonlyArray<Fact> => [
  [t("Leader"), <Address key="leader" address={follower.leader} label={t("leader")} />],
  [t("Ratio"), percent(follower.ratio)],
  [t("Base"), follower.base],
  [
    t("Trades when off by"),
    t("{threshold, plural, one {# point} other {# points}}", { threshold: follower.threshold })
  ],
  [t("Max weight of an asset"), follower.max_weight === null ? t("no cap") : percent(follower.max_weight)],
  [t("Max per trade"), money(follower.max_usd)],
  [
    t("Max in {interval}", { interval: spanOf(follower.interval) }),
    follower.max_usd_interval === null ? t("no cap") : money(follower.max_usd_interval)
  ],
  [t("Delay"), follower.delay === 0 ? t("none") : spanOf(follower.delay)],
  [t("Only"), follower.assets?.join(", ") ?? t("all that the vault may hold")],
  [t("Never"), follower.without.length === 0 ? null : follower.without.join(", ")],
  [t("Max slippage"), percent(follower.slippage)],
  [t("Max impact of a trade"), percent(follower.max_impact)]
]

function Summary({ follower, vault }: { readonly follower: Follower; readonly vault: VaultRef }) {
  const { color, label } = stateOf(follower)
  const starting = useMutation({
    mutationFn: () =>
      // Decoded by the endpoint's schemas, as in the form.
      call((client) => client.wallet.setFollower({ ...vault, ...paramsOf(follower) } as never)),
    onSuccess: ({ message }) => showSuccess(message),
    onError: showError(t("The vault does not follow again")),
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Card withBorder>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Stat label={t("State")} value={<StatusBadge color={color} label={label} />} />
        <Stat label={t("Leader is worth")} value={money(follower.leader_usd)} />
        <Stat label={t("Ratio")} value={percent(follower.ratio)} />
        <Stat
          label={t("Last check")}
          value={follower.checked_at === null ? unknown : <Time at={follower.checked_at} />}
        />
      </SimpleGrid>
      <Text size="sm" mt="sm">{follower.reason}</Text>
      {follower.reading !== null && <Text size="sm" c="dimmed">{follower.reading}</Text>}
      {follower.state === "stopped" && (
        <Problem
          title={t("It no longer follows")}
          message={t(
            "The leader lost most of its value in one step. The vault keeps what it holds. Check the leader first."
          )}
          funds=""
          action={
            <Button size="compact-xs" onClick={() => starting.mutate()} loading={starting.isPending}>
              {t("Follow again")}
            </Button>
          }
        />
      )}
      {follower.kill_switch !== null && (
        <Problem
          title={t("Paused")}
          message={t("{killSwitch}. Nothing is copied meanwhile.", { killSwitch: follower.kill_switch })}
          funds=""
        />
      )}
    </Card>
  )
}

function Weights({ follower }: { readonly follower: Follower }) {
  return (
    <Section title={t("Weights")}>
      {follower.weights.length === 0
        ? <Text size="sm" c="dimmed">{t("The leader has not been read yet.")}</Text>
        : (
          <ResponsiveTable
            label={t("Weights")}
            columns={[t("Asset"), t("Leader"), t("Target"), t("Copied")]}
            rows={follower.weights.map(({ asset, reason, symbol, target, weight }) => ({
              key: asset,
              cells: [symbol, percent(weight), percent(target), reason ?? t("yes")]
            }))}
          />
        )}
    </Section>
  )
}

function Body({ details, vault }: { readonly details: FollowerDetails; readonly vault: VaultRef }) {
  const { data: follower, events, trades } = details
  return (
    <>
      <Summary follower={follower} vault={vault} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Stack>
          <Weights follower={follower} />
          <Section title={t("Copied trades ({count})", { count: trades.length })}>
            {trades.length === 0
              ? (
                <EmptyState icon={<IconUsers size={22} />} title={t("No trade yet")}>
                  {follower.reason}
                </EmptyState>
              )
              : (
                <Steps
                  network={follower.network}
                  steps={trades.map(({ amount: sold, from, step, to, usd, ...trade }) => ({
                    ...trade,
                    key: String(step),
                    title: `${amount(sold)} ${from} → ${to} (${money(usd)})`
                  }))}
                />
              )}
          </Section>
        </Stack>
        <Stack>
          <Section title={t("Terms")}>
            <Facts label={t("Terms")} facts={termsOf(follower)} />
          </Section>
          <Section title={t("History")}>
            <Timeline entries={entriesOf(events, eventLabels, eventStates)} />
          </Section>
        </Stack>
      </SimpleGrid>
    </>
  )
}

export function FollowerPage() {
  const place = useVaultOfPage()
  const query = useFollowerOf(place.vault)
  const name = useVaultName()(place.network, place.pool)
  const { close, dialog, open } = useDialog<"edit" | "remove">()
  return (
    <VaultItemPage
      title={t("Copy trading of {name}", { name })}
      list={{ label: t("Copy Trading"), to: "/followers" }}
      place={place}
      query={query}
      details={query.data?.found}
      subtitle={({ data }) => `${leaderOf(data)} · ${copiesOf(data)}`}
      actions={(_, vault) => (
        <>
          <PauseBots vault={vault} />
          <Button size="xs" variant="default" onClick={() => open("edit")}>{t("Edit")}</Button>
          <Button size="xs" variant="default" onClick={() => open("remove")}>{t("Remove")}</Button>
        </>
      )}
      empty={{
        icon: <IconUsers size={22} />,
        title: t("This vault follows no leader"),
        text: t("It may have been removed. The vault keeps what it holds.")
      }}
    >
      {(details, vault) => (
        <>
          <Body details={details} vault={vault} />
          <Suspense fallback={null}>
            {dialog === "edit" && <FollowerForm follower={details.data} vault={vault} close={close} />}
            {dialog === "remove" && (
              <ConfirmedChange
                title={t("Stop following")}
                action={t("Stop following")}
                to="/followers"
                close={close}
                change={() => call((client) => client.wallet.removeFollower(vault))}
              >
                {t("The vault keeps what it holds. A trade that is already sent still completes.")}
              </ConfirmedChange>
            )}
          </Suspense>
        </>
      )}
    </VaultItemPage>
  )
}
