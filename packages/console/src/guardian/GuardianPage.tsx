/** A guardian: what it watches and read last, its terms, its actions with their transactions, and its history. */
import { Button, Card, SimpleGrid, Stack, Text } from "@mantine/core"
import { IconShieldHalf } from "@tabler/icons-react"
import { lazy, Suspense } from "react"
import { call } from "../connection/RpcConnection.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type Fact, Facts } from "../shell/Facts.tsx"
import { percent, spanOf, unknown } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { ConfirmedChange } from "../shell/ConfirmedChange.tsx"
import { Section } from "../shell/Section.tsx"
import { Stat } from "../shell/Stat.tsx"
import { Steps } from "../shell/Steps.tsx"
import { Time } from "../shell/Time.tsx"
import { entriesOf, Timeline } from "../shell/Timeline.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useVaultOfPage, VaultItemPage } from "../vault/VaultItemPage.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { GuardianBadge } from "./GuardianBadge.tsx"
import { actionLabels, type Guardian, kindLabels, kindOf, paramsOf, useGuardiansOf, watchesOf } from "./Guardians.ts"
import { t } from "../text/Text.ts"

const GuardianForm = lazy(() => import("./GuardianForm.tsx").then(({ GuardianForm }) => ({ default: GuardianForm })))

type Details = NonNullable<ReturnType<typeof useGuardiansOf>["data"]>[number]

const termsOf = (guardian: Guardian): ReadonlyArray<Fact> => {
  const each = (value: number | null) => value === null ? null : percent(value)
  return [
    [t("Acts below"), guardian.floor],
    [t("Repairs to"), guardian.target],
    [
      t("May"),
      guardian.prefer?.map((each): string => actionLabels[each] ?? each).reduce((first, next) =>
        t("{first}, then {next}", { first, next })
      )
    ],
    [t("Max loss in a day"), each(guardian.max_daily_loss)],
    [t("Max loss since the peak"), each(guardian.max_total_loss)],
    [t("Sells into"), guardian.kind === "loss_breaker" ? guardian.close_into ?? t("nothing is sold") : null],
    [
      t("Closes loans and positions"),
      guardian.close_positions === null ? null : guardian.close_positions ? t("yes") : t("no")
    ],
    [t("Max age of a price"), guardian.max_age === null ? null : spanOf(guardian.max_age)],
    [t("Max distance from the peg"), each(guardian.max_depeg)],
    [t("Assets"), guardian.kind === "oracle" ? guardian.assets?.join(", ") ?? t("all of the vault") : null],
    [t("Reports below"), guardian.min_gas],
    [t("Refill to"), guardian.target_gas],
    [t("Max slippage"), each(guardian.slippage)],
    [t("Readings in a row"), String(guardian.confirmations)]
  ]
}

const eventLabels: Readonly<Record<Details["events"][number]["kind"], string>> = {
  set: t("Set"),
  tripped: t("Tripped"),
  action_begun: t("Action begun"),
  action_succeeded: t("Action done"),
  action_failed: t("Action failed"),
  cleared: t("Cleared"),
  done: t("Done"),
  failed: t("Needs a person"),
  reset: t("Armed again"),
  deleted: t("Removed")
}

const eventStates = {
  tripped: "failed",
  action_begun: "open",
  action_succeeded: "done",
  action_failed: "failed",
  cleared: "done",
  done: "done",
  failed: "failed"
} as const

function Summary({ details: { actions, data: guardian } }: { readonly details: Details }) {
  const [last] = actions
  return (
    <Card withBorder>
      <SimpleGrid cols={{ base: 2, sm: 3 }}>
        <Stat label={t("State")} value={<GuardianBadge guardian={guardian} />} />
        <Stat
          label={t("Last check")}
          value={guardian.checked_at === null ? unknown : <Time at={guardian.checked_at} />}
        />
        <Stat label={t("Last action")} value={last === undefined ? t("none") : <Time at={last.begun_at} />} />
      </SimpleGrid>
      <Text size="sm" mt="sm">{guardian.reading ?? t("It has not read anything yet.")}</Text>
      <Text size="sm" c="dimmed">{guardian.reason}</Text>
      {guardian.holds && (
        <Problem
          color="orange"
          title={t("Bots and orders wait")}
          message={t("The vault’s bots and orders begin nothing while this guardian holds them.")}
          funds=""
        />
      )}
      {guardian.kill_switch !== null && (
        <Problem
          title={t("Stopped")}
          message={t("{killSwitch}. The guardian does nothing.", { killSwitch: guardian.kill_switch })}
          funds=""
        />
      )}
      {guardian.proposed_refill !== null && (
        <Text size="sm" mt="xs">
          {t(
            "Proposed refill: {amount} {token} to the gas wallet. Use Refill under Gas Wallets; your own " +
              "wallet signs it.",
            { amount: guardian.proposed_refill.amount, token: guardian.proposed_refill.token }
          )}
        </Text>
      )}
    </Card>
  )
}

const setAgain = (guardian: Guardian, vault: VaultRef, paper: boolean) =>
  // Decoded by the endpoint's schemas, as in the form.
  call((client) => client.wallet.setGuardian({ ...vault, ...paramsOf(guardian), paper } as never))

type Dialog = "edit" | "rearm" | "pause" | "resume" | "remove"

function Dialogs({ close, dialog, guardian, vault }: {
  readonly dialog: Dialog | undefined
  readonly guardian: Guardian
  readonly vault: VaultRef
  readonly close: () => void
}) {
  return (
    <Suspense fallback={null}>
      {dialog === "edit" && <GuardianForm guardian={guardian} vault={vault} close={close} />}
      {dialog === "rearm" && (
        <ConfirmedChange
          title={t("Arm the guardian again")}
          action={t("Arm again")}
          close={close}
          change={() => call((client) => client.wallet.resetGuardian({ ...vault, kind: guardian.kind }))}
        >
          {t(
            "It forgets what it has seen, and losses count from now on. Bots and orders that it has stopped " +
              "stay stopped until you resume the vault’s bots."
          )}
        </ConfirmedChange>
      )}
      {dialog === "pause" && (
        <ConfirmedChange
          title={t("Pause the guardian")}
          action={t("Pause")}
          close={close}
          change={() => setAgain(guardian, vault, true)}
        >
          {t("It keeps watching and reports, but sends, holds and stops nothing until you resume it.")}
        </ConfirmedChange>
      )}
      {dialog === "resume" && (
        <ConfirmedChange
          title={t("Resume the guardian")}
          action={t("Resume")}
          close={close}
          change={() => setAgain(guardian, vault, false)}
        >
          {t("It acts again when its limit is passed. It begins without what it has seen so far.")}
        </ConfirmedChange>
      )}
      {dialog === "remove" && (
        <ConfirmedChange
          title={t("Remove the guardian")}
          to="/guardians"
          close={close}
          change={() => call((client) => client.wallet.deleteGuardian({ ...vault, kind: guardian.kind }))}
        >
          {t(
            "Nothing watches this from then on. Trades that it holds continue; an action that is already " +
              "sent still completes."
          )}
        </ConfirmedChange>
      )}
    </Suspense>
  )
}

function Body({ details }: { readonly details: Details }) {
  const { actions, data: guardian, events } = details
  return (
    <>
      <Summary details={details} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Stack>
          <Section title={t("Actions ({count})", { count: actions.length })}>
            {actions.length === 0
              ? (
                <EmptyState icon={<IconShieldHalf size={22} />} title={t("No action yet")}>
                  {kindLabels[guardian.kind].help}
                </EmptyState>
              )
              : (
                <Steps
                  network={guardian.network}
                  steps={actions.map((step) => ({
                    ...step,
                    key: String(step.step),
                    title: actionLabels[step.action] ?? step.action
                  }))}
                />
              )}
          </Section>
          <Section title={t("Terms")}>
            <Facts label={t("Terms")} facts={termsOf(guardian)} />
          </Section>
        </Stack>
        <Section title={t("History")}>
          <Timeline entries={entriesOf(events, eventLabels, eventStates)} />
        </Section>
      </SimpleGrid>
    </>
  )
}

export function GuardianPage() {
  const place = useVaultOfPage()
  const guardians = useGuardiansOf(place.vault)
  const { close, dialog, open } = useDialog<Dialog>()
  const kind = kindOf(place.params["kind"])
  return (
    <VaultItemPage
      title={kind === undefined ? t("Guardian") : t("Guardian: {label}", { label: kindLabels[kind].label })}
      list={{ label: t("Guardians"), to: "/guardians" }}
      place={place}
      query={guardians}
      details={guardians.data?.find(({ data }) => data.kind === kind)}
      subtitle={({ data }) => watchesOf(data)}
      actions={({ data: { paper, state } }) => (
        <>
          {state !== "armed" && <Button variant="default" onClick={() => open("rearm")}>{t("Arm again")}</Button>}
          <Button variant="default" onClick={() => open(paper ? "resume" : "pause")}>
            {paper ? t("Resume") : t("Pause")}
          </Button>
          <Button variant="default" onClick={() => open("edit")}>{t("Edit")}</Button>
          <Button variant="default" onClick={() => open("remove")}>{t("Remove")}</Button>
        </>
      )}
      empty={{
        icon: <IconShieldHalf size={22} />,
        title: t("This guardian is not here"),
        text: t("The vault has none of this kind. It may have been removed.")
      }}
    >
      {(details, vault) => (
        <>
          <Body details={details} />
          <Dialogs guardian={details.data} vault={vault} dialog={dialog} close={close} />
        </>
      )}
    </VaultItemPage>
  )
}
