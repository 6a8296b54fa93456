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

const GuardianForm = lazy(() => import("./GuardianForm.tsx").then(({ GuardianForm }) => ({ default: GuardianForm })))

type Details = NonNullable<ReturnType<typeof useGuardiansOf>["data"]>[number]

const termsOf = (guardian: Guardian): ReadonlyArray<Fact> => {
  const each = (value: number | null) => value === null ? null : percent(value)
  return [
    ["Acts below", guardian.floor],
    ["Repairs to", guardian.target],
    ["May", guardian.prefer?.join(", then ")],
    ["Max loss in a day", each(guardian.max_daily_loss)],
    ["Max loss since the peak", each(guardian.max_total_loss)],
    ["Sells into", guardian.kind === "loss_breaker" ? guardian.close_into ?? "nothing is sold" : null],
    ["Closes loans and positions", guardian.close_positions === null ? null : guardian.close_positions ? "yes" : "no"],
    ["Max age of a price", guardian.max_age === null ? null : spanOf(guardian.max_age)],
    ["Max distance from the peg", each(guardian.max_depeg)],
    ["Assets", guardian.kind === "oracle" ? guardian.assets?.join(", ") ?? "all of the vault" : null],
    ["Reports below", guardian.min_gas],
    ["Refill to", guardian.target_gas],
    ["Max slippage", each(guardian.slippage)],
    ["Readings in a row", String(guardian.confirmations)]
  ]
}

const eventLabels: Readonly<Record<Details["events"][number]["kind"], string>> = {
  set: "Set",
  tripped: "Tripped",
  action_begun: "Action begun",
  action_succeeded: "Action done",
  action_failed: "Action failed",
  cleared: "Cleared",
  done: "Done",
  failed: "Needs a person",
  reset: "Armed again",
  deleted: "Removed"
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
        <Stat label="State" value={<GuardianBadge guardian={guardian} />} />
        <Stat
          label="Last check"
          value={guardian.checked_at === null ? unknown : <Time at={guardian.checked_at} />}
        />
        <Stat label="Last action" value={last === undefined ? "none" : <Time at={last.begun_at} />} />
      </SimpleGrid>
      <Text size="sm" mt="sm">{guardian.reading ?? "It has not read anything yet."}</Text>
      <Text size="sm" c="dimmed">{guardian.reason}</Text>
      {guardian.holds && (
        <Problem
          color="orange"
          title="Bots and orders wait"
          message="The vault’s bots and orders begin nothing while this guardian holds them."
          funds=""
        />
      )}
      {guardian.kill_switch !== null && (
        <Problem title="Stopped" message={`${guardian.kill_switch}. The guardian does nothing.`} funds="" />
      )}
      {guardian.proposed_refill !== null && (
        <Text size="sm" mt="xs">
          Proposed refill: {guardian.proposed_refill.amount} {guardian.proposed_refill.token}{" "}
          to the gas wallet. Use Refill under Gas Wallets; your own wallet signs it.
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
          title="Arm the guardian again"
          action="Arm again"
          close={close}
          change={() => call((client) => client.wallet.resetGuardian({ ...vault, kind: guardian.kind }))}
        >
          It forgets what it has seen, and losses count from now on. Bots and orders that it has stopped stay stopped
          until you resume the vault’s bots.
        </ConfirmedChange>
      )}
      {dialog === "pause" && (
        <ConfirmedChange
          title="Pause the guardian"
          action="Pause"
          close={close}
          change={() => setAgain(guardian, vault, true)}
        >
          It keeps watching and reports, but sends, holds and stops nothing until you resume it.
        </ConfirmedChange>
      )}
      {dialog === "resume" && (
        <ConfirmedChange
          title="Resume the guardian"
          action="Resume"
          close={close}
          change={() => setAgain(guardian, vault, false)}
        >
          It acts again when its limit is passed. It begins without what it has seen so far.
        </ConfirmedChange>
      )}
      {dialog === "remove" && (
        <ConfirmedChange
          title="Remove the guardian"
          to="/guardians"
          close={close}
          change={() => call((client) => client.wallet.deleteGuardian({ ...vault, kind: guardian.kind }))}
        >
          Nothing watches this from then on. Trades that it holds continue; an action that is already sent still
          completes.
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
          <Section title={`Actions (${actions.length})`}>
            {actions.length === 0
              ? (
                <EmptyState icon={<IconShieldHalf size={22} />} title="No action yet">
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
          <Section title="Terms">
            <Facts label="Terms" facts={termsOf(guardian)} />
          </Section>
        </Stack>
        <Section title="History">
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
      title={kind === undefined ? "Guardian" : `Guardian: ${kindLabels[kind].label}`}
      list={{ label: "Guardians", to: "/guardians" }}
      place={place}
      query={guardians}
      details={guardians.data?.find(({ data }) => data.kind === kind)}
      subtitle={({ data }) => watchesOf(data)}
      actions={({ data: { paper, state } }) => (
        <>
          {state !== "armed" && <Button variant="default" onClick={() => open("rearm")}>Arm again</Button>}
          <Button variant="default" onClick={() => open(paper ? "resume" : "pause")}>
            {paper ? "Resume" : "Pause"}
          </Button>
          <Button variant="default" onClick={() => open("edit")}>Edit</Button>
          <Button variant="default" onClick={() => open("remove")}>Remove</Button>
        </>
      )}
      empty={{
        icon: <IconShieldHalf size={22} />,
        title: "This guardian is not here",
        text: "The vault has none of this kind. It may have been removed."
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
