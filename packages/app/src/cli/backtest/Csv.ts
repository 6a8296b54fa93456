/** Writes a backtest's results for other programs: exact decimals, times in ISO 8601. */
import { heldOf } from "@vault-trader/core/backtest/Portfolio"
import { format } from "@vault-trader/core/chain/Quantity"
import type { BacktestResult } from "./Play.ts"
import { exactUsd, isoText } from "./Text.ts"

/** Quotes a cell only when it needs it. */
const cell = (text: string) => /[",\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
const csv = (rows: ReadonlyArray<ReadonlyArray<string>>) => `${rows.map((row) => row.map(cell).join(",")).join("\n")}\n`

/** Writes one row per trade. */
export const trades = ({ fills }: BacktestResult): string =>
  csv([
    ["time", "sold", "sold_amount", "bought", "bought_amount", "worth_usd", "cost_usd", "reason"],
    ...fills.map((
      { bought, cost18, from, reason, sold, time, to, usd18 }
    ) => [
      isoText(time),
      from.symbol,
      format(sold, from.decimals),
      to.symbol,
      format(bought, to.decimals),
      exactUsd(usd18),
      exactUsd(cost18),
      reason
    ])
  ])

const columnOf = (name: string) => `${name.toLowerCase().replace(/[^a-z0-9]+/g, "_")}_usd`

/** Writes one row per closed candle: its open time, and what the strategy decided as JSON, without its reason. */
export const decisions = (decided: NonNullable<BacktestResult["decisions"]>): string =>
  csv([
    ["time", "decision", "reason"],
    ...decided.map(({ decision: { memory: _, reason = "", ...decision }, time }) => [
      isoText(time),
      JSON.stringify(decision),
      reason
    ])
  ])

/** Writes one row per bar at its close: the equity of the bot and of each comparison, and the bot's holdings. */
export const equity = ({ lines, tokens }: BacktestResult): string =>
  csv([
    ["time", ...lines.map(({ name }) => columnOf(name)), ...tokens.map(({ symbol }) => symbol)],
    ...(lines[0]?.equity ?? []).map(({ portfolio, time }, place) => [
      isoText(time),
      ...lines.map(({ equity: each }) => exactUsd(each[place]?.usd18 ?? 0n)),
      ...tokens.map((token) => format(heldOf(portfolio, token), token.decimals))
    ])
  ])
