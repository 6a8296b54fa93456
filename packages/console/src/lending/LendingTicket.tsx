/**
 * Supplies, withdraws, borrows or repays: the asset, the lender and the amount with a live dry run, then a review of
 * exactly that, then its outcome.
 */
import { Button, Loader, NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { LendingApi } from "@vault-trader/core/lending/LendingApi"
import { useState } from "react"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { Facts } from "../shell/Facts.tsx"
import { amount, dollars, money, percent, shortOf } from "../shell/Format.ts"
import { parametersOf } from "../shell/Parameters.ts"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import { AmountField } from "../vault/AmountField.tsx"
import { valueOf } from "../vault/Amounts.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { HealthAfter } from "./HealthChange.tsx"
import type { Choice, Lending } from "./Lending.ts"
import { choicesOf } from "./LendingChoices.ts"
import { LendingOutcome } from "./LendingOutcome.tsx"
import {
  type LendingAction,
  type LendingPlan,
  paramsOf,
  quantityOf,
  type Terms,
  texts,
  useLendingPlan
} from "./LendingPlan.ts"
import { LendingReview } from "./LendingReview.tsx"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const parameters = parametersOf(LendingApi, "lend")

/** The action and the choice that a ticket begins with. */
export interface Opening {
  readonly action: LendingAction
  readonly choice: Choice
}

interface TicketProps {
  readonly vault: VaultRef
  readonly lending: Lending
  readonly opening: Opening
  readonly close: () => void
}

const faultOf = ({ action, amount: size, isAll }: Terms, { limit, symbol }: Choice): string | null => {
  if (isAll || size.trim() === "") return null
  const fault = parameters.faultOf("amount", size.trim())
  if (fault !== null || limit === null || Number(size) <= Number(limit)) return fault
  // The service words what goes beyond a loan or a debt.
  return action === "lend"
    ? t("The vault has {held} {from}", { held: amount(limit), from: symbol })
    : action === "unlend"
    ? t("{amount} {symbol} are supplied", { amount: amount(limit), symbol })
    : null
}

/** Says how much may be moved. */
const limitText = ({ action, isAll }: Terms, { lender, limit, symbol }: Choice): string | undefined => {
  if (isAll && action !== "borrow") return t("All of it, with the interest until then")
  if (limit === null) return undefined
  const values = { amount: amount(limit), symbol, lender }
  switch (action) {
    case "lend":
      return undefined
    case "unlend":
      return t("{amount} {symbol} are supplied to {lender}", values)
    case "borrow":
      return t("At most {amount} {symbol} may be borrowed now", values)
    case "repay":
      return t("The vault can repay {amount} {symbol}", values)
  }
}

/** Follows the most that the vault may borrow of an asset, as the service computes it; idle for other actions. */
const useCapacity = (vault: VaultRef, { action, asset, platform }: Terms) =>
  useLendingPlan(vault, action === "borrow" ? { action, asset, platform, amount: "", isAll: true } : undefined)

function Fields({ choice, choices, set, terms }: {
  readonly terms: Terms
  readonly choice: Choice
  readonly choices: ReadonlyArray<Choice>
  readonly set: (some: Partial<Terms>) => void
}) {
  const assets = [...new Map(choices.map(({ asset, symbol }) => [asset, symbol])).entries()]
  const lenders = choices.filter(({ asset }) => asset === terms.asset)
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <NativeSelect
          label={t("Asset")}
          value={terms.asset}
          data={assets.map(([value, label]) => ({ value, label }))}
          onChange={(event) => {
            const asset = event.currentTarget.value
            const of = choices.filter((each) => each.asset === asset)
            const platform = of.find(({ lender }) => lender === terms.platform)?.lender ?? of[0]?.lender ?? ""
            set({ asset, platform, amount: "", isAll: false })
          }}
        />
        <NativeSelect
          label={t("Lender")}
          value={terms.platform}
          data={lenders.map(({ lender, rate }) => ({
            value: lender,
            label: rate === null ? lender : t("{lender}, {rate} a year", { lender, rate: percent(rate) })
          }))}
          onChange={(event) => set({ platform: event.currentTarget.value, amount: "", isAll: false })}
        />
      </SimpleGrid>
      <AmountField
        symbol={choice.symbol}
        held={choice.limit}
        value={terms.isAll ? choice.limit ?? "" : terms.amount}
        fault={faultOf(terms, choice)}
        onChange={(text) => set({ amount: text, isAll: false })}
        {...(limitText(terms, choice) === undefined ? {} : { description: limitText(terms, choice) ?? "" })}
        {...(terms.action === "lend"
          ? {}
          : { all: { isChosen: terms.isAll, choose: () => set({ amount: "", isAll: true }) } })}
      />
    </>
  )
}

/** The effects of the terms by the dry run. */
function Plan({ lending, plan, terms }: {
  readonly plan: LendingPlan
  readonly terms: Terms
  readonly lending: Lending
}) {
  const moved = quantityOf(terms.action, plan)
  return (
    <Stack gap="xs">
      <HealthAfter account={lending.account} plan={plan} />
      <Facts
        label={t("What would happen")}
        facts={[
          [
            texts[terms.action].moves,
            moved && `${amount(moved.amount)} ${moved.symbol} (${money(valueOf(lending.holdings ?? [], moved))})`
          ],
          [t("Lender"), plan.lender],
          [t("Still owed"), plan.still_owed && `${amount(plan.still_owed.amount)} ${plan.still_owed.symbol}`],
          [t("Max gas"), plan.gas_cost === null ? t("unknown") : shortOf(plan.gas_cost)],
          [t("Charge"), dollars(plan.charge.usd)]
        ]}
      />
    </Stack>
  )
}

export function LendingTicket({ close, lending, opening: { action, choice: first }, vault }: TicketProps) {
  const [terms, setTerms] = useState<Terms>({
    ...{ action, asset: first.asset, platform: first.lender, amount: "", isAll: false }
  })
  const [reviewed, setReviewed] = useState<LendingPlan>()
  const [intent, setIntent] = useState<string>()
  const choices = choicesOf(action, lending, first)
  const found = choices.find(({ asset, lender }) => asset === terms.asset && lender === terms.platform) ?? first
  const capacity = useCapacity(vault, terms)
  const choice = action === "borrow" ? { ...found, limit: capacity.data?.borrowed?.amount ?? null } : found
  const isValid = faultOf(terms, choice) === null && (terms.isAll || Number(terms.amount) > 0)
  const [settled] = useDebouncedValue(terms, 400)
  const isSettled = settled === terms
  const [refusals, setRefusals] = useState(0)
  const requestKey = useRequestKey([terms, refusals])
  const plan = useLendingPlan(vault, isValid && isSettled && intent === undefined ? terms : undefined)
  const problem = isValid ? plan.error : capacity.error
  const isLoading = isValid && (!isSettled || plan.isPending)
  if (intent !== undefined) return <LendingOutcome {...{ action, close, intent, vault }} />
  if (reviewed !== undefined) {
    return (
      <LendingReview
        {...{ choice, lending, requestKey, terms, vault }}
        plan={reviewed}
        back={() => setReviewed(undefined)}
        refused={() => setRefusals(refusals + 1)}
        done={setIntent}
      />
    )
  }
  return (
    <Modal
      opened
      onClose={close}
      title={texts[action].title}
      size={500}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (plan.data !== undefined && plan.error === null && isSettled && isValid) setReviewed(plan.data)
        }}
      >
        <Stack>
          <Fields {...{ choice, choices, terms }} set={(some) => setTerms({ ...terms, ...some })} />
          <div aria-live="polite">
            {isLoading && <Loader size="sm" aria-label={t("Asking the service")} />}
            {!isLoading && problem !== null && (
              <Problem color="orange" title={t("This would be refused right now")} message={problem.message} />
            )}
            {!isLoading && isValid && plan.data !== undefined && plan.error === null && (
              <Plan plan={plan.data} terms={terms} lending={lending} />
            )}
            {!isValid && problem === null && (
              <Text size="sm" c="dimmed">{t("Enter an amount to see what would happen.")}</Text>
            )}
          </div>
          <ApiFormFooter
            endpoint={action}
            params={{ network: vault.network, pool: vault.pool, ...paramsText(terms) }}
            close={close}
          >
            <Button type="submit" disabled={!isValid || isLoading || plan.data === undefined || plan.error !== null}>
              {texts[action].review}
            </Button>
          </ApiFormFooter>
        </Stack>
      </form>
    </Modal>
  )
}

/** Returns the parameters of the terms as texts, for the API's code. */
const paramsText = (terms: Terms): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(paramsOf(terms)).map(([name, value]) => [name, String(value)]))
