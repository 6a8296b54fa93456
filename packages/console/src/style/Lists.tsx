/** Tables, terms, decisions and trades. */
import { Stack } from "@mantine/core"
import { FleetTable } from "../shell/FleetTable.tsx"
import { Facts } from "../shell/Facts.tsx"
import { Address } from "../shell/Address.tsx"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { amount, dollars } from "../shell/Format.ts"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import { StateBadge } from "../bots/BotState.tsx"
import { PairIcon, TokenIcon } from "../shell/Icons.tsx"
import { Timeline } from "../shell/Timeline.tsx"
import { Steps } from "../shell/Steps.tsx"
import { Change } from "../shell/Stat.tsx"

const holdings = [["WETH", "9.412345678", 28_354.69], ["USDC", "18234.551234", 18_234.55], ["DAI", "0.5", 0.5]] as const

export function Tables() {
  return (
    <Section title="Table">
      <ResponsiveTable
        label="Holdings"
        columns={["Asset", "Amount", "Value"]}
        figuresFrom={1}
        rows={holdings.map(([symbol, held, usd]) => ({
          key: symbol,
          cells: [
            <span key={symbol} style={{ display: "inline-flex", gap: 8, alignItems: "center" }}>
              <TokenIcon symbol={symbol} /> {symbol}
            </span>,
            amount(held),
            dollars(usd)
          ]
        }))}
      />
    </Section>
  )
}

interface Line {
  readonly pair: string
  readonly state: "active" | "paused" | "paper" | "off"
  readonly usd: number
}

const lines: ReadonlyArray<Line> = [
  { pair: "WETH-USDC", state: "paused", usd: -1_204.1 },
  { pair: "WBTC-USDC", state: "active", usd: 412.55 },
  { pair: "AAVE-USDC", state: "paper", usd: 12 },
  { pair: "WETH-DAI", state: "off", usd: 0 }
]

const columns = [
  {
    ...{ id: "name", label: "Bot", sort: ({ pair }: Line) => pair, width: 12 },
    cell: ({ pair }: Line) => (
      <span className="cell">
        <PairIcon pair={pair} />
        <span className="row-name">{pair}</span>
      </span>
    )
  },
  {
    id: "state",
    label: "State",
    sort: ({ state }: Line) => state,
    cell: ({ state }: Line) => <StateBadge state={state} />
  },
  {
    ...{ id: "profit", label: "Profit", sort: ({ usd }: Line) => usd, isFigure: true },
    cell: ({ usd }: Line) => <Change usd={usd} />
  }
]

const chosen = new Set(["WBTC-USDC"])

export function LongTable() {
  return (
    <Section title="Long table">
      <FleetTable
        label="Bots"
        columns={columns}
        rows={lines}
        keyOf={({ pair }) => pair}
        sortedBy={{ id: "profit", isDescending: true }}
        selection={{ selected: chosen, onChange: () => {}, nameOf: ({ pair }: Line) => pair }}
      />
    </Section>
  )
}

export function Terms() {
  return (
    <Section title="Terms">
      <Facts
        label="Parameters"
        facts={[
          ["Side", "long"],
          ["Trade when off target by more than", "1 %"],
          ["Trader", <Address key="trader" address="0x00000000000000000000000000000000000a1234" label="trader" />]
        ]}
      />
      <ActionSummary
        label="Summary"
        lines={[["Sells", "1,000 USDC"], ["At least", "0.3319 WETH"], ["Worst case", "$12.10, with gas and charge"]]}
      />
    </Section>
  )
}

export function Decisions() {
  return (
    <Section title="Decisions">
      <Stack>
        <Timeline
          entries={[
            {
              ...{ key: "1", at: "2026-11-20T11:58:00.000Z", label: "Trade in progress", state: "open" },
              reason: "Sells 1,000 USDC for WETH."
            },
            {
              ...{ key: "2", at: "2026-11-20T11:00:00.000Z", label: "Traded", state: "done" },
              reason: "Sold 1,000 USDC for 0.3319 WETH on uniswapV3."
            },
            {
              ...{ key: "3", at: "2026-11-19T12:00:00.000Z", label: "Failed", state: "failed" },
              reason: "Price too far from the oracle. Nothing was traded."
            },
            {
              ...{ key: "4", at: "2026-11-13T12:00:00.000Z", label: "Held" },
              reason: "WETH is 99.4 % of the pair; within the threshold of 1 %."
            }
          ]}
        />
        <Steps
          network="base"
          steps={[
            {
              ...{ key: "1", title: "1,000 USDC for WETH", state: "succeeded", message: null },
              ...{ tx_hash: `0x${"7d6a6b0f".repeat(8)}`, begun_at: "2026-11-20T11:00:00.000Z" }
            },
            {
              ...{
                key: "2",
                title: "250 USDC for WETH",
                state: "failed",
                message: "The price was too far from the oracle."
              },
              ...{ tx_hash: null, begun_at: "2026-11-20T10:00:00.000Z" }
            }
          ]}
        />
      </Stack>
    </Section>
  )
}
