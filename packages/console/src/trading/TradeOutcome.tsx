/** The outcome of a trade: what was sold and bought, at which price and cost. */
import { Outcome, type Result } from "../intent/Outcome.tsx"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { amount, dollars, percent, price, shortOf } from "../shell/Format.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

interface Amount {
  readonly amount: string
  readonly symbol: string
}

/** The amounts that the transaction moved, as its receipt says, and its cost. */
interface Trade {
  readonly sold: Amount
  readonly bought: Amount
  readonly venue: string
  readonly oracle?: { readonly slippage_percent: number | null } | null
  readonly gas_cost?: string | null
  readonly charge_usd?: number
}

const isAmount = (value: unknown): value is Amount =>
  typeof value === "object" && value !== null && "amount" in value && "symbol" in value

/** Returns the amounts of a trade's result; undefined where it has none. */
const tradeOf = (result: Result): Trade | undefined =>
  isAmount(result["sold"]) && isAmount(result["bought"]) ? result as unknown as Trade : undefined

function Moved({ result: { bought, charge_usd, gas_cost, oracle, sold, venue } }: { readonly result: Trade }) {
  const slippage = oracle?.slippage_percent ?? null
  return (
    <ActionSummary
      label={t("What moved")}
      lines={[
        [t("Sold"), `${amount(sold.amount)} ${sold.symbol}`],
        [t("Bought"), `${amount(bought.amount)} ${bought.symbol}`],
        [
          t("Price"),
          `1 ${sold.symbol} = ${price(Number(bought.amount) / Number(sold.amount))} ${bought.symbol}`
        ],
        [t("Venue"), venue],
        slippage === null
          ? undefined
          : [
            t("Against the oracle"),
            slippage > 0
              ? t("{percent} worse", { percent: percent(slippage) })
              : t("{percent} better", { percent: percent(-slippage) })
          ],
        gas_cost === null || gas_cost === undefined ? undefined : [t("Gas"), shortOf(gas_cost)],
        charge_usd === undefined ? undefined : [t("Charge"), dollars(charge_usd)]
      ]}
    />
  )
}

export function TradeOutcome({ close, intent, vault }: {
  readonly vault: VaultRef
  readonly intent: string
  readonly close: () => void
}) {
  return (
    <Outcome
      {...{ close, intent, vault }}
      texts={{
        pending: t("Trade in progress"),
        done: t("Trade done"),
        failed: t("Trade failed"),
        nothing: t("Nothing was traded"),
        unread: t("The trade may still complete; check Activity before you trade again.")
      }}
      moved={(result) => {
        const trade = tradeOf(result)
        return trade !== undefined && <Moved result={trade} />
      }}
    />
  )
}
