/** The outcome of an action on liquidity: what moved by its receipt, and what it cost. */
import type { Quantity } from "@vault-trader/core/chain/Quantity"
import { Outcome } from "../intent/Outcome.tsx"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { dollars, shortOf } from "../shell/Format.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { amountsText, swappedText } from "./LiquidityFigures.ts"
import type { Swapped } from "./LiquidityPlans.ts"
import type { LiquidityAction } from "./Positions.ts"
import { actionTexts } from "./LiquidityTexts.ts"
import { t } from "../text/Text.ts"

/** The members of results; each action has some of them. */
interface Moved {
  readonly token_id?: string | null
  readonly added?: ReadonlyArray<Quantity>
  readonly removed?: ReadonlyArray<Quantity>
  readonly fees?: ReadonlyArray<Quantity>
  readonly rewards?: ReadonlyArray<Quantity>
  readonly swapped?: Swapped | null
  readonly burnt?: boolean
  readonly gas_cost?: string | null
  readonly charge_usd?: number
}

function Movements({ result }: { readonly result: Moved }) {
  const { added, burnt, charge_usd, fees, gas_cost, removed, rewards, swapped, token_id } = result
  const amounts = (name: string, quantities: ReadonlyArray<Quantity> | undefined) =>
    quantities === undefined || quantities.length === 0 ? undefined : [name, amountsText(quantities)] as const
  return (
    <ActionSummary
      label={t("What moved")}
      lines={[
        token_id === null || token_id === undefined
          ? undefined
          : [t("Position"), burnt === true ? t("#{id}, which is closed", { id: token_id }) : `#${token_id}`],
        swapped === null || swapped === undefined ? undefined : [t("Swapped"), swappedText(swapped)],
        amounts(t("Went in"), added),
        amounts(t("Came out"), removed),
        amounts(removed === undefined ? t("Fees") : t("Including fees"), fees),
        amounts(t("Rewards"), rewards),
        gas_cost === null || gas_cost === undefined ? undefined : [t("Gas"), shortOf(gas_cost)],
        charge_usd === undefined ? undefined : [t("Charge"), dollars(charge_usd)]
      ]}
    />
  )
}

export function LiquidityOutcome({ action, close, intent, vault }: {
  readonly action: LiquidityAction
  readonly vault: VaultRef
  readonly intent: string
  readonly close: () => void
}) {
  return (
    <Outcome
      {...{ close, intent, vault }}
      texts={actionTexts[action]}
      moved={(result) => <Movements result={result} />}
    />
  )
}
