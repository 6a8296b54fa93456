/** Renders a backtest for a terminal. */
import { figuresOf, tradedOf } from "@vault-trader/core/backtest/BacktestMetrics"
import type { Fill } from "@vault-trader/core/backtest/Portfolio"
import { usd } from "@vault-trader/core/chain/Quantity"
import type { BacktestResult } from "./Play.ts"
import { dollarText, quantityText, timeText } from "./Text.ts"

/** Maximum trades shown in a terminal; of more, the first and the last are shown. */
const maxShownTrades = 20

/** Aligns columns; numbers are aligned to the right. */
export const grid = (rows: ReadonlyArray<ReadonlyArray<string>>, left: ReadonlySet<number>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  const drawn = (row: ReadonlyArray<string>) =>
    row.map((cell, column) => left.has(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))
  return rows.map((row) => drawn(row).join("  ").trimEnd()).join("\n")
}

/** A statistic that too few bars do not have is a dash. */
export const numberText = (value: number | null) => value === null ? "–" : value.toFixed(2)

const figures = ({ fills, lines }: BacktestResult): string => {
  const all = lines.map(({ equity }) => figuresOf(equity))
  const { costs18, trades, turnover18 } = tradedOf(fills)
  const times = usd(turnover18) / (usd(all[0]?.start18 ?? 0n) || 1)
  const only = (text: string) => lines.map((_, place) => place === 0 ? text : "")
  return grid([
    ["", ...lines.map(({ name }) => name)],
    ["start", ...all.map(({ start18 }) => dollarText(start18))],
    ["end", ...all.map(({ end18 }) => dollarText(end18))],
    ["PnL", ...all.map(({ pnl18 }) => dollarText(pnl18))],
    ["PnL %", ...all.map(({ pnlPercent }) => pnlPercent.toFixed(2))],
    ["max drawdown %", ...all.map(({ drawdown }) => drawdown.percent.toFixed(2))],
    ["volatility % a year", ...all.map(({ statistics }) => numberText(statistics.volatility))],
    ["Sharpe", ...all.map(({ statistics }) => numberText(statistics.sharpe))],
    ["Sortino", ...all.map(({ statistics }) => numberText(statistics.sortino))],
    ["trades", ...only(String(trades))],
    ["turnover", ...only(dollarText(turnover18))],
    ["turnover / start", ...only(`${times.toFixed(2)} ×`)],
    ["costs", ...only(dollarText(costs18))]
  ], new Set([0]))
}

const rowOf = (
  { bought, cost18, from, sold, time, to, usd18 }: Fill
) => [timeText(time), quantityText(from, sold), quantityText(to, bought), dollarText(usd18), dollarText(cost18)]

const trades = (fills: ReadonlyArray<Fill>): string => {
  if (fills.length === 0) return "It traded nothing."
  const head = ["time (UTC)", "sold", "bought", "worth", "cost"]
  const rows = fills.length <= maxShownTrades
    ? fills.map(rowOf)
    : [
      ...fills.slice(0, maxShownTrades / 2).map(rowOf),
      [`… ${fills.length - maxShownTrades} more`, "", "", "", ""],
      ...fills.slice(-maxShownTrades / 2).map(rowOf)
    ]
  return grid([head, ...rows], new Set([0]))
}

export const text = (played: BacktestResult): string => {
  const { bars, fills, lines, notes, title } = played
  const { from, to } = figuresOf(lines[0]?.equity ?? []).drawdown
  return [
    `${title}, ${timeText(bars[0]?.time ?? 0)} to ${timeText(bars.at(-1)?.time ?? 0)} UTC`,
    ...notes.map((note) => `  ${note}`),
    "",
    figures(played),
    ...(from === to ? [] : ["", `The worst fall was from ${timeText(from)} to ${timeText(to)}.`]),
    "",
    trades(fills)
  ].join("\n")
}
