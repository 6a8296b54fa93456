/** The trades of a plan or of a run: what is given, what is got at least or was got, what that is worth. */
import { Badge, Table, Text } from "@mantine/core"
import { dollars, quantity } from "../shell/Figures.ts"
import { Transaction } from "../shell/Transaction.tsx"
import type { Planned, Trade } from "./Indexes.ts"

/** USD of one whole asset by the vault's oracle, as the plan was made with it. */
const priceOf = ({ amount, amountUsd, minOut, side, slippage }: Planned): number =>
  side === "sell" ? amountUsd / Number(amount) : amountUsd * (1 - slippage / 100) / Number(minOut)

/** USD that a trade may bring less than the oracle says; it fails rather than bring less. */
export const atWorst = (plan: ReadonlyArray<Planned>): number => plan.reduce((sum, { amountUsd, slippage }) => sum + amountUsd * slippage / 100, 0)

export function PlannedLegs({ plan }: { readonly plan: ReadonlyArray<Planned> }) {
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table aria-label="Trades of the plan" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr><Table.Th>Trade</Table.Th><Table.Th>Gives</Table.Th><Table.Th>Gets at least</Table.Th><Table.Th>Worth</Table.Th><Table.Th>Oracle’s price</Table.Th></Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {plan.map((leg) => (
            <Table.Tr key={`${leg.side}/${leg.asset}`}>
              <Table.Td>{leg.side} {leg.asset}</Table.Td>
              <Table.Td>{quantity(leg.amount)} {leg.from}</Table.Td>
              <Table.Td>{quantity(leg.minOut)} {leg.to}</Table.Td>
              <Table.Td>{dollars(leg.amountUsd)}</Table.Td>
              <Table.Td>{dollars(priceOf(leg))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

const colours = { pending: "blue", success: "green", fail: "red", paper: "gray" } as const
const words = { pending: "under way", success: "done", fail: "failed", paper: "on paper" } as const

export function TradedLegs({ network, trades }: { readonly network: string; readonly trades: ReadonlyArray<Trade> }) {
  if (trades.length === 0) return <Text size="sm">No trade was made.</Text>
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table aria-label="Trades of the run" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr><Table.Th>Trade</Table.Th><Table.Th>Planned</Table.Th><Table.Th>Really</Table.Th><Table.Th>Worth</Table.Th><Table.Th>State</Table.Th></Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {trades.map((leg, place) => (
            // A run's trades are only ever added to.
            <Table.Tr key={leg.intent_id ?? `${place}/${leg.asset}`}>
              <Table.Td>{leg.side} {leg.asset}</Table.Td>
              <Table.Td>{quantity(leg.amount)} {leg.from} for at least {quantity(leg.minOut)} {leg.to}</Table.Td>
              <Table.Td>
                {leg.sold === null || leg.bought === null
                  ? (leg.status === "success" || leg.status === "pending" ? "not known yet" : "nothing moved")
                  : `${quantity(leg.sold.amount)} ${leg.sold.symbol} for ${quantity(leg.bought.amount)} ${leg.bought.symbol}`}
                {leg.tx_hash !== null && <> <Transaction network={network} hash={leg.tx_hash} /></>}
                {leg.status === "fail" && leg.message !== null && <Text size="sm">{leg.message}</Text>}
              </Table.Td>
              <Table.Td>{dollars(leg.amountUsd)}</Table.Td>
              <Table.Td><Badge color={colours[leg.status]} variant={leg.status === "success" ? "dot" : "filled"}>{words[leg.status]}</Badge></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
