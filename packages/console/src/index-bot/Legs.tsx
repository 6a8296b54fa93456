/** The trades of a plan or a run, with amounts and USD values. */
import { Badge, Text } from "@mantine/core"
import { dollars, quantity } from "../shell/Format.ts"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Transaction } from "../shell/Transaction.tsx"
import type { PlannedLeg, Trade } from "./Indexes.ts"
import { t } from "../text/Text.ts"

/** Returns the vault oracle's price of one unit in USD, as used by the plan. */
const priceOf = ({ amount, amountUsd, minOut, side, slippage }: PlannedLeg): number =>
  side === "sell" ? amountUsd / Number(amount) : amountUsd * (1 - slippage / 100) / Number(minOut)

/** Returns the maximum loss of the plan's trades against the oracle, in USD. A trade fails rather than lose more. */
export const maxLossOf = (plan: ReadonlyArray<PlannedLeg>): number =>
  plan.reduce((sum, { amountUsd, slippage }) => sum + amountUsd * slippage / 100, 0)

export function PlannedLegs({ plan }: { readonly plan: ReadonlyArray<PlannedLeg> }) {
  const rows = plan.map((leg) => ({
    key: `${leg.side}/${leg.asset}`,
    cells: [
      `${leg.side} ${leg.asset}`,
      `${quantity(leg.amount)} ${leg.from}`,
      `${quantity(leg.minOut)} ${leg.to}`,
      dollars(leg.amountUsd),
      dollars(priceOf(leg))
    ]
  }))
  return (
    <ResponsiveTable
      label={t("Trades of the plan")}
      columns={[t("Trade"), t("Sells"), t("Buys at least"), t("Value"), t("Oracle price")]}
      rows={rows}
    />
  )
}

const colours = { pending: "blue", success: "green", fail: "red", paper: "gray" } as const
const statusLabels = { pending: t("in progress"), success: t("done"), fail: t("failed"), paper: t("on paper") } as const

const movedText = ({ bought, sold, status }: Trade): string =>
  sold !== null && bought !== null
    ? t("{sold} for {bought}", {
      sold: `${quantity(sold.amount)} ${sold.symbol}`,
      bought: `${quantity(bought.amount)} ${bought.symbol}`
    })
    : status === "success" || status === "pending"
    ? t("not known yet")
    : t("nothing moved")

function ExecutedTrade({ leg, network }: { readonly leg: Trade; readonly network: string }) {
  return (
    <div>
      {movedText(leg)}
      {leg.tx_hash !== null && (
        <>
          <Transaction network={network} hash={leg.tx_hash} />
        </>
      )}
      {leg.status === "fail" && leg.message !== null && <Text size="sm">{leg.message}</Text>}
    </div>
  )
}

export function TradedLegs({ network, trades }: { readonly network: string; readonly trades: ReadonlyArray<Trade> }) {
  if (trades.length === 0) return <Text size="sm">{t("No trade was made.")}</Text>
  const rows = trades.map((leg, index) => ({
    // A run's trades are append-only, so the index is stable.
    key: leg.intent_id ?? `${index}/${leg.asset}`,
    cells: [
      `${leg.side} ${leg.asset}`,
      t("{amount} {from} for at least {minOut} {to}", {
        amount: quantity(leg.amount),
        from: leg.from,
        minOut: quantity(leg.minOut),
        to: leg.to
      }),
      <ExecutedTrade key="really" leg={leg} network={network} />,
      dollars(leg.amountUsd),
      <Badge key="state" color={colours[leg.status]} variant={leg.status === "success" ? "dot" : "filled"}>
        {statusLabels[leg.status]}
      </Badge>
    ]
  }))
  return (
    <ResponsiveTable
      label={t("Trades of the run")}
      columns={[t("Trade"), t("Planned"), t("Executed"), t("Value"), t("State")]}
      rows={rows}
    />
  )
}
