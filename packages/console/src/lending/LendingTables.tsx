/** The tables of a vault's lending: what it has supplied, what it has borrowed, and the markets, with their actions. */
import { Button, Group, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { amount, money, percent, unknown } from "../shell/Format.ts"
import { TokenIcon } from "../shell/Icons.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import type { Choice, Lending, Market, Position } from "./Lending.ts"
import { lends } from "./LendingChoices.ts"
import type { LendingAction } from "./LendingPlan.ts"
import type { Opening } from "./LendingTicket.tsx"
import { t } from "../text/Text.ts"

interface TableProps {
  readonly lending: Lending
  /** False while the gas wallet is not the vault's trader. */
  readonly canTrade: boolean
  readonly open: (opening: Opening) => void
}

const rateText = (rate: number | null): string => rate === null ? unknown : percent(rate)

function Asset({ note, symbol }: { readonly symbol: string; readonly note?: string | null }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <TokenIcon symbol={symbol} />
      <div>
        <Text size="sm" fw={600}>{symbol}</Text>
        {note !== undefined && note !== null && <Text size="xs" c="dimmed">{note}</Text>}
      </div>
    </Group>
  )
}

/** An action's button; its name says of what and where, because every row has one. */
function Act({ action, choice, disabled, label, name, open }: {
  readonly action: LendingAction
  readonly choice: Choice
  readonly disabled: boolean
  readonly label: string
  readonly name: string
  readonly open: (opening: Opening) => void
}) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      disabled={disabled}
      aria-label={name}
      onClick={() => open({ action, choice })}
    >
      {label}
    </Button>
  )
}

function PositionAction({ canTrade, open, position }: Omit<TableProps, "lending"> & { readonly position: Position }) {
  const { choice, side } = position
  if (choice === null) return <>{unknown}</>
  const { lender, symbol } = choice
  return side === "supplied"
    ? (
      <Act
        {...{ choice, open }}
        action="unlend"
        disabled={!canTrade}
        label={t("Withdraw")}
        name={t("Withdraw {symbol} from {lender}", { symbol, lender })}
      />
    )
    : (
      <Act
        {...{ choice, open }}
        action="repay"
        disabled={!canTrade}
        label={t("Repay")}
        name={t("Repay {symbol} to {lender}", { symbol, lender })}
      />
    )
}

/** The positions of a side; nothing where there are none. */
export function Positions({ canTrade, lending, open, side }: TableProps & { readonly side: Position["side"] }) {
  const positions = lending.positions.filter((position) => position.side === side)
  if (positions.length === 0) return null
  const title = side === "supplied" ? t("Supplied") : t("Borrowed")
  const cells = (position: Position): ReadonlyArray<ReactNode> => {
    const { amount: size, isCollateral, lender, rate, symbol, usd } = position
    return [
      <Asset key="asset" symbol={symbol} />,
      lender,
      ...(side === "supplied" ? [isCollateral ? t("yes") : t("no")] : []),
      amount(size),
      money(usd),
      rateText(rate),
      <PositionAction key="action" {...{ canTrade, open, position }} />
    ]
  }
  return (
    <Section title={title}>
      <ResponsiveTable
        label={title}
        figuresFrom={side === "supplied" ? 3 : 2}
        columns={[
          t("Asset"),
          t("Lender"),
          ...(side === "supplied" ? [t("Collateral")] : []),
          ...[t("Amount"), "USD", t("Rate a year"), t("Action")]
        ]}
        rows={positions.map((position) => ({ key: position.key, cells: cells(position) }))}
      />
    </Section>
  )
}

function MarketActions({ canTrade, market, open }: Omit<TableProps, "lending"> & { readonly market: Market }) {
  const { asset, borrow_apy, held, lender, supply_apy, symbol } = market
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      {lends(lender) && (
        <Act
          open={open}
          choice={{ asset, symbol, lender, limit: null, rate: borrow_apy }}
          action="borrow"
          disabled={!canTrade}
          label={t("Borrow")}
          name={t("Borrow {symbol} from {lender}", { symbol, lender })}
        />
      )}
      <Act
        open={open}
        choice={{ asset, symbol, lender, limit: held, rate: supply_apy }}
        action="lend"
        disabled={!canTrade || Number(held) === 0}
        label={t("Supply")}
        name={t("Supply {symbol} to {lender}", { symbol, lender })}
      />
    </Group>
  )
}

export function Markets({ canTrade, lending, open }: TableProps) {
  return (
    <ResponsiveTable
      label={t("Markets")}
      figuresFrom={2}
      columns={[
        ...[t("Asset"), t("Lender"), t("The vault holds"), "USD", t("Supply rate a year"), t("Borrow rate a year")],
        t("Action")
      ]}
      rows={lending.markets.map((market) => ({
        key: market.key,
        cells: [
          <Asset key="asset" symbol={market.symbol} note={market.note} />,
          market.lender,
          amount(market.held),
          money(market.heldUsd),
          rateText(market.supply_apy),
          // Vaults borrow from lenderA only; the rates of other lenders are for others.
          lends(market.lender) ? rateText(market.borrow_apy) : unknown,
          <MarketActions key="action" {...{ canTrade, market, open }} />
        ]
      }))}
    />
  )
}
