/** The outcomes of requests at HyperCore. An order's is HyperCore's own state of it, never the transaction's alone. */
import { Outcome, type OutcomeTexts, type Result } from "../intent/Outcome.tsx"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { amount, dollars, price, shortOf } from "../shell/Format.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import type { Move } from "./Perpetuals.ts"
import { t } from "../text/Text.ts"

interface OrderResult {
  readonly coin: string
  readonly order_status: string
  readonly size: string
  readonly filled: string
  readonly limit_price: string
  readonly average_price: string | null
  readonly gas_cost?: string | null
  readonly charge_usd?: number
}

const isOrder = (result: Result): boolean => typeof result["order_status"] === "string"

/** Returns HyperCore's state of an order in words. */
const stateText = ({ coin, filled, order_status, size }: OrderResult): string => {
  const [part, whole] = [Number(filled), Number(size)]
  const values = { filled: amount(filled), size: amount(size), coin }
  if (order_status === "open") {
    return part === 0
      ? t("Resting: nothing is filled yet")
      : t("Resting, partly filled: {filled} of {size} {coin}", values)
  }
  if (part >= whole) return t("Filled: {filled} {coin}", values)
  return part === 0
    ? t("Cancelled: nothing was filled")
    : t("Partly filled: {filled} of {size} {coin}; the rest is cancelled", values)
}

function OrderLines({ order }: { readonly order: OrderResult }) {
  const { average_price, charge_usd, gas_cost, limit_price } = order
  return (
    <ActionSummary
      label={t("At HyperCore")}
      lines={[
        [t("State"), stateText(order)],
        average_price === null ? undefined : [t("Average price"), `$${price(average_price)}`],
        [t("Limit price"), `$${price(limit_price)}`],
        gas_cost === null || gas_cost === undefined ? undefined : [t("Gas"), shortOf(gas_cost)],
        charge_usd === undefined ? undefined : [t("Charge"), dollars(charge_usd)]
      ]}
    />
  )
}

type Kind = Move | "order" | "cancel"

const textsOf: Readonly<Record<Kind, () => OutcomeTexts>> = {
  order: () => ({
    pending: t("Order in progress"),
    done: t("HyperCore has the order"),
    failed: t("Order failed"),
    nothing: t("Nothing was traded"),
    refused: t("The transaction was mined, HyperCore rejected the order: nothing was traded"),
    unread: t("The order may still be filled; check Activity before you place it again.")
  }),
  cancel: () => ({
    pending: t("Cancellation in progress"),
    done: t("Order cancelled"),
    failed: t("Cancellation failed"),
    nothing: t("The order is unchanged"),
    refused: t("The transaction was mined, HyperCore did not cancel the order"),
    unread: t("The order may still be cancelled; check the resting orders.")
  }),
  deposit: () => ({
    pending: t("Deposit in progress"),
    done: t("Deposit done"),
    failed: t("Deposit failed"),
    nothing: t("Nothing was deposited"),
    unread: t("The deposit may still complete; check Activity before you deposit again.")
  }),
  withdraw: () => ({
    pending: t("Withdrawal in progress"),
    done: t("Withdrawal done"),
    failed: t("Withdrawal failed"),
    nothing: t("Nothing was withdrawn"),
    refused: t("The transaction was mined, HyperCore did not send the USDC"),
    unread: t("The withdrawal may still complete; check Activity before you withdraw again.")
  })
}

export function PerpetualOutcome({ close, intent, kind, vault }: {
  readonly kind: Kind
  readonly vault: VaultRef
  readonly intent: string
  readonly close: () => void
}) {
  return (
    <Outcome
      {...{ close, intent, vault }}
      texts={textsOf[kind]()}
      moved={(result) => isOrder(result) && <OrderLines order={result as unknown as OrderResult} />}
    />
  )
}
