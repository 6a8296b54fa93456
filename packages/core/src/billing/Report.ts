/** The daily report of a wallet on a vault, in the wire format. */
import * as Schema from "effect/Schema"
import { format } from "../chain/Quantity.ts"
import { csv } from "./Csv.ts"

const sums = {
  /** The number of requests executed on chain. */
  actions: Schema.Int,
  failed: Schema.Int,
  fees_usd: Schema.Number,
  /** Native human units, without charges that have no price yet. */
  fees_native: Schema.String,
  /** The gas cost of all transactions, including reverted ones, native human units. */
  gas_native: Schema.String,
  /** At the native price of each action's charge; null when an action has no price. */
  gas_usd: Schema.NullOr(Schema.Number),
  /** The value sold, by the vault's oracle at planning time. */
  volume_usd: Schema.Number,
  /** The value sold minus the value bought, both by that oracle; positive is a loss. */
  slippage_usd: Schema.Number,
  /** The slippage in percent of the volume; null without volume. */
  slippage_percent: Schema.NullOr(Schema.Number)
}

/** The gain of the vault's token in percent since the previous snapshot; null when either snapshot is missing. */
const pnl = { pnl_percent: Schema.NullOr(Schema.Number) }

export const Day = Schema.Struct({
  /** UTC. */
  date: Schema.String,
  ...sums,
  /** USD per vault token at the day's last snapshot; null on days without a snapshot. */
  token_price: Schema.NullOr(Schema.Number),
  ...pnl
})
export type Day = typeof Day.Type

export const Total = Schema.Struct({ ...sums, ...pnl })
export type Total = typeof Total.Type

/** The sums of a day's rows. */
interface DayRow {
  readonly date: string
  readonly actions: number
  readonly failed: number
  readonly feesUsd: number
  readonly feesWei: bigint
  readonly gasWei: bigint
  readonly gasUsd: number | null
  readonly volumeUsd: number
  readonly slippageUsd: number
}

/** The price of a vault's token on a day, USD with 18 decimals. */
interface DayPrice {
  readonly date: string
  readonly tokenPrice: bigint
}

const round = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places

const fieldsOf = (row: Omit<DayRow, "date">) => ({
  actions: row.actions,
  failed: row.failed,
  fees_usd: round(row.feesUsd, 6),
  fees_native: format(row.feesWei, 18),
  gas_native: format(row.gasWei, 18),
  gas_usd: row.gasUsd === null ? null : round(row.gasUsd, 6),
  volume_usd: round(row.volumeUsd, 6),
  slippage_usd: round(row.slippageUsd, 6),
  slippage_percent: row.volumeUsd > 0 ? round(row.slippageUsd / row.volumeUsd * 100, 4) : null
})

const emptyRow = { actions: 0, failed: 0, feesUsd: 0, feesWei: 0n, gasWei: 0n, gasUsd: 0, volumeUsd: 0, slippageUsd: 0 }

const add = (one: Omit<DayRow, "date">, other: Omit<DayRow, "date">) => ({
  actions: one.actions + other.actions,
  failed: one.failed + other.failed,
  feesUsd: one.feesUsd + other.feesUsd,
  feesWei: one.feesWei + other.feesWei,
  gasWei: one.gasWei + other.gasWei,
  gasUsd: one.gasUsd === null || other.gasUsd === null ? null : one.gasUsd + other.gasUsd,
  volumeUsd: one.volumeUsd + other.volumeUsd,
  slippageUsd: one.slippageUsd + other.slippageUsd
})

const gainPercent = (from: bigint | undefined, to: bigint | undefined) =>
  from === undefined || to === undefined || from === 0n
    ? null
    : round(Number((to - from) * 1_000_000n / from) / 10_000, 4)

/**
 * Builds the report: every day with a request or a snapshot, in order, and the totals. `before` is the last price
 * before the first day.
 */
export const reportOf = (
  rows: ReadonlyArray<DayRow>,
  prices: ReadonlyArray<DayPrice>,
  before: bigint | undefined
): { readonly days: ReadonlyArray<Day>; readonly total: Total } => {
  const earliest = [...prices].sort((one, other) => one.date < other.date ? -1 : 1)[0]
  const dates = [...new Set([...rows.map(({ date }) => date), ...prices.map(({ date }) => date)])].sort()
  let last = before
  const days = dates.map((date): Day => {
    const price = prices.find((each) => each.date === date)?.tokenPrice
    const gain = gainPercent(last, price)
    last = price ?? last
    const tokenPrice = price === undefined ? null : round(Number(price / 10n ** 9n) / 1e9, 9)
    return {
      date,
      ...fieldsOf(rows.find((each) => each.date === date) ?? emptyRow),
      token_price: tokenPrice,
      pnl_percent: gain
    }
  })
  const first = before ?? earliest?.tokenPrice
  const spansTime = before !== undefined ? prices.length > 0 : prices.length > 1
  return {
    days,
    total: { ...fieldsOf(rows.reduce(add, emptyRow)), pnl_percent: spansTime ? gainPercent(first, last) : null }
  }
}

const columns = [
  ...["date", "actions", "failed", "fees_usd", "fees_native", "gas_native", "gas_usd"] as const,
  ...["volume_usd", "slippage_usd", "slippage_percent", "token_price", "pnl_percent"] as const
]

export const reportCsv = (days: ReadonlyArray<Day>): string => csv(columns, days)
