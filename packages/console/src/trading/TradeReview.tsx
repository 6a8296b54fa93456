/** The review of a trade: exactly what is traded, and a confirmation where the price is far from the oracle. */
import { Alert, Button, Checkbox, Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { TradingApi } from "@vault-trader/core/trading/TradingApi"
import { useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { amount, dollars, money, percent, shortOf } from "../shell/Format.ts"
import { parametersOf } from "../shell/Parameters.ts"
import type { useComposition } from "../vault/useVaults.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import type { Trade } from "./Plans.ts"
import { valueOf } from "../vault/Amounts.ts"
import { impactOf, routeText, worstLossOf } from "./TradeFigures.ts"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

export type Holding = NonNullable<ReturnType<typeof useComposition>["data"]>["composition"][number]

/** From this price impact on, the trade asks for a second look; from the other, for a confirmation. */
const notableImpact = 1
const highImpact = 3

/** The parameters of a trade, which check and decode its form. */
export const parameters = parametersOf(TradingApi, "vaultTrade")

export interface Terms {
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly slippage: string
  readonly platform: string
}

export function ImpactText({ impact }: { readonly impact: number | undefined }) {
  if (impact === undefined) return <>{t("unknown, no price")}</>
  const isNotable = impact >= notableImpact
  return (
    <Text
      span
      size="sm"
      c={isNotable ? "var(--mantine-color-error)" : "var(--mantine-color-text)"}
      fw={isNotable ? 600 : 400}
    >
      {impact < 0.005 ? t("under 0.01 %") : percent(impact)}
    </Text>
  )
}

/** Lists the venues that were tried before the one of the plan, with their reasons. */
const passedOver = ({ passed_over = [] }: Trade): readonly [string, string] | undefined =>
  passed_over.length === 0
    ? undefined
    : [t("Passed over"), passed_over.map(({ reason, venue }) => `${venue}: ${reason}`).join(" ")]

interface TradeState {
  readonly terms: Terms
  readonly vault: VaultRef
  readonly holdings: ReadonlyArray<Holding>
}

/** Advises another way to trade, which costs less. */
function Advice({ slice }: { readonly slice: () => void }) {
  return (
    <T
      message={"The venue’s price is that much worse than the vault’s oracle. A smaller amount, or an order in " +
        "slices, gets a better price. <0>Trade in slices</0>"}
      parts={[<Button key="slices" size="compact-xs" variant="default" onClick={slice} />]}
    />
  )
}

/** Shows exactly what is traded, and trades it. */
export function TradeReview({ back, done, holdings, plan, requestKey, slice, terms, vault }: TradeState & {
  readonly plan: Trade
  readonly requestKey: string
  readonly back: () => void
  /** Opens an order in slices of the same trade. */
  readonly slice: (terms: Terms) => void
  readonly done: (intent: string) => void
}) {
  const impact = impactOf(holdings, plan)
  const [isAccepted, setIsAccepted] = useState(false)
  const asksTwice = impact !== undefined && impact >= highImpact
  const trading = useMutation({
    mutationFn: () =>
      call((client) =>
        client.wallet.vaultTrade(
          {
            ...terms,
            amount: terms.amount.trim(),
            slippage: terms.slippage.trim(),
            ...vault,
            idempotency_key: requestKey
          } as never
        )
      ),
    onSuccess: (answer) => done(answer.intent_id ?? ""),
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Confirm
      title={t("Sell {sold} for {bought}", { sold: plan.amountIn.symbol, bought: plan.amountOut.symbol })}
      action={t("Trade")}
      close={back}
      disabled={asksTwice && !isAccepted}
      loading={trading.isPending}
      problem={trading.error}
      onConfirm={() => trading.mutate()}
    >
      <ActionSummary
        label={t("The trade")}
        lines={[
          [
            t("Sell"),
            `${amount(plan.amountIn.amount)} ${plan.amountIn.symbol} (${money(valueOf(holdings, plan.amountIn))})`
          ],
          [t("For about"), `${amount(plan.amountOut.amount)} ${plan.amountOut.symbol}`],
          [
            t("At least"),
            t("{amount} {symbol}, or it fails and nothing is traded", {
              amount: amount(plan.minOut.amount),
              symbol: plan.minOut.symbol
            })
          ],
          [t("Venue"), plan.venue],
          plan.route === undefined ? undefined : [t("Route"), routeText(plan.route)],
          passedOver(plan),
          [t("Price impact vs. oracle"), <ImpactText key="impact" impact={impact} />],
          [t("Max gas"), plan.gas_cost === null ? t("unknown") : shortOf(plan.gas_cost)],
          [t("Charge"), dollars(plan.charge.usd)],
          [t("Worst case"), worstLossOf(holdings, plan) ?? t("unknown, no price")]
        ]}
      />
      {impact !== undefined && impact >= notableImpact && (
        <Alert color="orange" title={t("You would lose {impact} to the market", { impact: percent(impact) })}>
          <Advice
            slice={() =>
              slice(terms)}
          />
          {asksTwice && (
            <Checkbox
              mt="xs"
              label={t("Trade at this price")}
              checked={isAccepted}
              onChange={(event) => setIsAccepted(event.currentTarget.checked)}
            />
          )}
        </Alert>
      )}
    </Confirm>
  )
}
