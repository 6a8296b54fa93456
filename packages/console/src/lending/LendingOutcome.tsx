/** The outcome of an action with a lender: what moved, and the cost. */
import type { VaultRef } from "../vault/VaultRef.ts"
import { Outcome, type Result } from "../intent/Outcome.tsx"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { amount, dollars, shortOf } from "../shell/Format.ts"
import { healthText } from "../vault/HealthFactor.tsx"
import { type LendingAction, type Moves, quantityOf, texts } from "./LendingPlan.ts"
import { t } from "../text/Text.ts"

/** The result of an action, as its receipt says. */
interface Done extends Moves {
  readonly gas_cost?: string | null
  readonly charge_usd?: number
}

/** Returns the parts of a result; undefined where it has none. */
const doneOf = (result: Result): Done | undefined =>
  typeof result["lender"] === "string" ? result as unknown as Done : undefined

function Moved({ action, done }: { readonly action: LendingAction; readonly done: Done }) {
  const moved = quantityOf(action, done)
  const { charge_usd, gas_cost, lender, projected_health_factor: after, still_owed } = done
  return (
    <ActionSummary
      label={t("What moved")}
      lines={[
        moved === undefined ? undefined : [texts[action].moved, `${amount(moved.amount)} ${moved.symbol}`],
        [t("Lender"), lender],
        still_owed === undefined || still_owed === null
          ? undefined
          : [t("Still owed"), `${amount(still_owed.amount)} ${still_owed.symbol}`],
        after === null
          ? undefined
          : [t("Health factor"), t("about {healthFactor}", { healthFactor: healthText(after) })],
        gas_cost === null || gas_cost === undefined ? undefined : [t("Gas"), shortOf(gas_cost)],
        charge_usd === undefined ? undefined : [t("Charge"), dollars(charge_usd)]
      ]}
    />
  )
}

export function LendingOutcome({ action, close, intent, vault }: {
  readonly action: LendingAction
  readonly vault: VaultRef
  readonly intent: string
  readonly close: () => void
}) {
  const { done, failed, pending } = texts[action]
  return (
    <Outcome
      {...{ close, intent, vault }}
      texts={{
        ...{ pending, done, failed },
        nothing: t("Nothing moved"),
        unread: t("It may still complete; check Activity before you try again.")
      }}
      moved={(result) => {
        const parts = doneOf(result)
        return parts !== undefined && <Moved action={action} done={parts} />
      }}
    />
  )
}
