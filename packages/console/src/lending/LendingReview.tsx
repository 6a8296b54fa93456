/** The review of an action with a lender: exactly what is done, what it can cost at worst, and the loan's safety. */
import { Alert, Checkbox } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { noDebt } from "@vault-trader/core/lending/NoDebt"
import { useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call, isAnswered, isLost } from "../connection/RpcConnection.ts"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { Address } from "../shell/Address.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { amount, dollars, money, percent, shortOf, unknown } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { healthText, marginOf, thinBelow } from "../vault/HealthFactor.tsx"
import { valueOf } from "../vault/Amounts.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { HealthAfter } from "./HealthChange.tsx"
import type { Choice, Lending } from "./Lending.ts"
import { type LendingPlan, quantityOf, requestOf, type Terms, texts } from "./LendingPlan.ts"
import { t } from "../text/Text.ts"

/** Says the worst that an action can lead to. */
const worstOf = ({ action }: Terms, { projected_health_factor: after }: LendingPlan): string => {
  const liquidation = after === null || after === noDebt ? null : t(
    "When the collateral falls by {margin} against the debt, anyone may liquidate it, at a penalty. Interest makes " +
      "the debt grow.",
    { margin: percent(marginOf(after)) }
  )
  switch (action) {
    case "lend":
      return t(
        "The lender fails, or lends out too much: then the vault gets its supply back later, in part or not at all."
      )
    case "borrow":
      return liquidation ?? t("Interest makes the debt grow, at a rate that changes at any time.")
    case "unlend":
      return liquidation ?? t("The transaction fails: nothing moves, and the gas is spent.")
    case "repay":
      return t("The transaction fails: nothing moves, and the gas is spent.")
  }
}

const approves = ({ action }: Terms): boolean => action === "lend" || action === "repay"

function Summary({ choice, lending, plan, terms }: {
  readonly plan: LendingPlan
  readonly terms: Terms
  readonly choice: Choice
  readonly lending: Lending
}) {
  const moved = quantityOf(terms.action, plan)
  const values = moved && {
    amount: amount(moved.amount),
    symbol: moved.symbol,
    usd: money(valueOf(lending.holdings ?? [], moved))
  }
  return (
    <ActionSummary
      label={t("What is done")}
      lines={[
        [
          texts[terms.action].moves,
          terms.isAll
            ? terms.action === "borrow"
              ? t("About {amount} {symbol} ({usd}): as much as is allowed at that moment", values)
              : t("About {amount} {symbol} ({usd}): all of it, with the interest until then", values)
            : values && `${values.amount} ${values.symbol} (${values.usd})`
        ],
        [t("Lender"), plan.lender],
        [t("Its contract"), <Address key="market" address={plan.market} label={t("contract")} />],
        [
          t("Rate a year"),
          choice.rate === null ? unknown : t("{rate} now; it changes at any time", { rate: percent(choice.rate) })
        ],
        approves(terms)
          ? [t("Approval"), t("Given in the same transaction, for this only")]
          : undefined,
        plan.still_owed === undefined || plan.still_owed === null
          ? undefined
          : [t("Still owed"), `${amount(plan.still_owed.amount)} ${plan.still_owed.symbol}`],
        [t("Max gas"), plan.gas_cost === null ? t("unknown") : shortOf(plan.gas_cost)],
        [t("Charge"), dollars(plan.charge.usd)],
        [t("Worst case"), worstOf(terms, plan)]
      ]}
    />
  )
}

export function LendingReview({ back, choice, done, lending, plan, refused, requestKey, terms, vault }: {
  readonly vault: VaultRef
  readonly terms: Terms
  readonly choice: Choice
  readonly lending: Lending
  readonly plan: LendingPlan
  readonly requestKey: string
  readonly back: () => void
  /** Called when the request has failed for good: another try is another request. */
  readonly refused: () => void
  readonly done: (intent: string) => void
}) {
  const [isAccepted, setIsAccepted] = useState(false)
  const { action } = terms
  const after = plan.projected_health_factor
  const isThin = after !== null && after !== noDebt && Number(after) < thinBelow
  const sending = useMutation({
    mutationFn: () => call(requestOf(vault, terms, { idempotency_key: requestKey })),
    onSuccess: (answer) => done(answer.intent_id ?? ""),
    onError: (error) => {
      if (isAnswered(error)) refused()
    },
    onSettled: () => queries.invalidateQueries()
  })
  const lost = sending.error !== null && isLost(sending.error) ? sending.error : null
  return (
    <Confirm
      title={t("{action} {symbol}", {
        action: texts[action].title,
        symbol: quantityOf(action, plan)?.symbol ?? choice.symbol
      })}
      action={texts[action].title}
      close={back}
      disabled={isThin && !isAccepted}
      loading={sending.isPending}
      problem={lost === null ? sending.error : null}
      onConfirm={() => sending.mutate()}
    >
      <HealthAfter account={lending.account} plan={plan} />
      <Summary {...{ choice, lending, plan, terms }} />
      {isThin && (
        <Alert color="orange" title={t("A small price move liquidates the collateral")}>
          <Checkbox
            mt="xs"
            label={t("Continue with a health factor of {healthFactor}", { healthFactor: healthText(after) })}
            checked={isAccepted}
            onChange={(event) => setIsAccepted(event.currentTarget.checked)}
          />
        </Alert>
      )}
      {lost !== null && (
        <Problem
          color="orange"
          title={t("The answer did not arrive")}
          message={lost.message}
          funds={t("It may have been sent. A second try gets the outcome of the first: nothing is done twice.")}
        />
      )}
    </Confirm>
  )
}
