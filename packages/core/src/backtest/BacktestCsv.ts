/** The results of a backtest for other programs, as CSV: exact decimals, times in ISO 8601. */
import { format } from "../chain/Quantity.ts"
import type { Token } from "../chain/Token.ts"
import { type Fill, heldOf } from "./Portfolio.ts"
import type { Equity } from "./Replay.ts"
import type { TimedDecision } from "./StrategyBacktest.ts"

/** An equity curve, and the name of its column: `hold WETH` is `hold_weth_usd`. */
export interface NamedEquity {
  readonly name: string
  readonly equity: ReadonlyArray<Equity>
}

/** Formats unix seconds as ISO 8601 without milliseconds. */
export const isoText = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** Quotes a cell only when it needs it. */
const cell = (text: string) => /[",\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
const csv = (rows: ReadonlyArray<ReadonlyArray<string>>) => `${rows.map((row) => row.map(cell).join(",")).join("\n")}\n`

/** Writes one row per trade. */
export const trades = (fills: ReadonlyArray<Fill>): string =>
  csv([
    ["time", "sold", "sold_amount", "bought", "bought_amount", "worth_usd", "cost_usd", "reason"],
    ...fills.map(({ bought, cost18, from, reason, sold, time, to, usd18 }) => [
      ...[isoText(time), from.symbol, format(sold, from.decimals), to.symbol, format(bought, to.decimals)],
      ...[format(usd18, 18), format(cost18, 18), reason]
    ])
  ])

const columnOf = (name: string) => `${name.toLowerCase().replace(/[^a-z0-9]+/g, "_")}_usd`

/** Writes one row per bar at its close: the equity of the bot and of each comparison, and the bot's holdings. */
export const equity = (lines: ReadonlyArray<NamedEquity>, tokens: ReadonlyArray<Token>): string =>
  csv([
    ["time", ...lines.map(({ name }) => columnOf(name)), ...tokens.map(({ symbol }) => symbol)],
    ...(lines[0]?.equity ?? []).map(({ portfolio, time }, place) => [
      isoText(time),
      ...lines.map(({ equity: each }) => format(each[place]?.usd18 ?? 0n, 18)),
      ...tokens.map((token) => format(heldOf(portfolio, token), token.decimals))
    ])
  ])

/** Writes one row per closed candle: its open time, and what the strategy decided as JSON, without its reason. */
export const decisions = (decided: ReadonlyArray<TimedDecision>): string =>
  csv([
    ["time", "decision", "reason"],
    ...decided.map(({ decision: { memory: _, reason = "", ...decision }, time }) => [
      isoText(time),
      JSON.stringify(decision),
      reason
    ])
  ])
