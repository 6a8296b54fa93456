/** The trades of a plan or of a run: what is given, what is got at least or was got, what that is worth. */
import { Badge, Text } from "@mantine/core"
import { quantity } from "../shell/Figures.ts"
import { dollars } from "../shell/Money.ts"
import { Rows } from "../shell/ResponsiveTable.tsx"
import { Transaction } from "../shell/Transaction.tsx"
import type { Planned, Trade } from "./Indexes.ts"

/** USD of one whole asset by the vault's oracle, as the plan was made with it. */
const priceOf = ({ amount, amountUsd, minOut, side, slippage }: Planned): number =>
  side === "sell" ? amountUsd / Number(amount) : amountUsd * (1 - slippage / 100) / Number(minOut)

/** USD that a trade may bring less than the oracle says; it fails rather than bring less. */
export const atWorst = (plan: ReadonlyArray<Planned>): number => plan.reduce((sum, { amountUsd, slippage }) => sum + amountUsd * slippage / 100, 0)

export function PlannedLegs({ plan }: { readonly plan: ReadonlyArray<Planned> }) {
  const rows = plan.map((leg) => ({
    key: `${leg.side}/${leg.asset}`,
    cells: [`${leg.side} ${leg.asset}`, `${quantity(leg.amount)} ${leg.from}`, `${quantity(leg.minOut)} ${leg.to}`, dollars(leg.amountUsd), dollars(priceOf(leg))]
  }))
  return <Rows label="Trades of the plan" columns={["Trade", "Gives", "Gets at least", "Worth", "Oracle’s price"]} rows={rows} />
}

const colours = { pending: "blue", success: "green", fail: "red", paper: "gray" } as const
const words = { pending: "under way", success: "done", fail: "failed", paper: "on paper" } as const

const moved = ({ bought, sold, status }: Trade): string =>
  sold !== null && bought !== null
    ? `${quantity(sold.amount)} ${sold.symbol} for ${quantity(bought.amount)} ${bought.symbol}`
    : status === "success" || status === "pending" ? "not known yet" : "nothing moved"

function Really({ leg, network }: { readonly leg: Trade; readonly network: string }) {
  return (
    <div>
      {moved(leg)}
      {leg.tx_hash !== null && <> <Transaction network={network} hash={leg.tx_hash} /></>}
      {leg.status === "fail" && leg.message !== null && <Text size="sm">{leg.message}</Text>}
    </div>
  )
}

export function TradedLegs({ network, trades }: { readonly network: string; readonly trades: ReadonlyArray<Trade> }) {
  if (trades.length === 0) return <Text size="sm">No trade was made.</Text>
  const rows = trades.map((leg, place) => ({
    // A run's trades are only ever added to.
    key: leg.intent_id ?? `${place}/${leg.asset}`,
    cells: [
      `${leg.side} ${leg.asset}`,
      `${quantity(leg.amount)} ${leg.from} for at least ${quantity(leg.minOut)} ${leg.to}`,
      <Really key="really" leg={leg} network={network} />,
      dollars(leg.amountUsd),
      <Badge key="state" color={colours[leg.status]} variant={leg.status === "success" ? "dot" : "filled"}>{words[leg.status]}</Badge>
    ]
  }))
  return <Rows label="Trades of the run" columns={["Trade", "Planned", "Really", "Worth", "State"]} rows={rows} />
}
