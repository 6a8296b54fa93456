/** What the days of a wallet on a vault came to, in the words of the wire. */
import * as Schema from "effect/Schema"
import { format } from "../chain/Quantity.ts"
import { csv } from "./Csv.ts"

const sums = {
  /** Requests that were executed on chain. */
  actions: Schema.Int,
  failed: Schema.Int,
  fees_usd: Schema.Number,
  /** Native human units; charges that wait for a price are not in it. */
  fees_native: Schema.String,
  /** What the transactions' gas cost, those that reverted too, native human units. */
  gas_native: Schema.String,
  /** At the native price of each action's charge; null where some of it has none. */
  gas_usd: Schema.NullOr(Schema.Number),
  /** What was sold, by the vault's oracle when it was planned. */
  volume_usd: Schema.Number,
  /** What was sold less what was bought, both by that oracle: positive is a loss. */
  slippage_usd: Schema.Number,
  /** The same, percent of the volume; null without any. */
  slippage_percent: Schema.NullOr(Schema.Number)
}

/** What the vault's token gained, percent: since the snapshot before; null where one of the two is missing. */
const pnl = { pnl_percent: Schema.NullOr(Schema.Number) }

export const Day = Schema.Struct({
  /** UTC. */
  date: Schema.String,
  ...sums,
  /** USD of one vault token by the day's last snapshot; null on days without one. */
  token_price: Schema.NullOr(Schema.Number),
  ...pnl
})
export type Day = typeof Day.Type

export const Total = Schema.Struct({ ...sums, ...pnl })
export type Total = typeof Total.Type

/** A day's requests as the rows add up. */
export interface DayRow {
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

/** A vault token's price on a day, USD with 18 decimals. */
export interface DayPrice {
  readonly date: string
  readonly tokenPrice: bigint
}

const rounded = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places

const shown = (row: Omit<DayRow, "date">) => ({
  actions: row.actions,
  failed: row.failed,
  fees_usd: rounded(row.feesUsd, 6),
  fees_native: format(row.feesWei, 18),
  gas_native: format(row.gasWei, 18),
  gas_usd: row.gasUsd === null ? null : rounded(row.gasUsd, 6),
  volume_usd: rounded(row.volumeUsd, 6),
  slippage_usd: rounded(row.slippageUsd, 6),
  slippage_percent: row.volumeUsd > 0 ? rounded(row.slippageUsd / row.volumeUsd * 100, 4) : null
})

const nothing = { actions: 0, failed: 0, feesUsd: 0, feesWei: 0n, gasWei: 0n, gasUsd: 0, volumeUsd: 0, slippageUsd: 0 }

const plus = (one: Omit<DayRow, "date">, other: Omit<DayRow, "date">) => ({
  actions: one.actions + other.actions,
  failed: one.failed + other.failed,
  feesUsd: one.feesUsd + other.feesUsd,
  feesWei: one.feesWei + other.feesWei,
  gasWei: one.gasWei + other.gasWei,
  gasUsd: one.gasUsd === null || other.gasUsd === null ? null : one.gasUsd + other.gasUsd,
  volumeUsd: one.volumeUsd + other.volumeUsd,
  slippageUsd: one.slippageUsd + other.slippageUsd
})

const gained = (from: bigint | undefined, to: bigint | undefined) =>
  from === undefined || to === undefined || from === 0n ? null : rounded(Number((to - from) * 1_000_000n / from) / 10_000, 4)

/** Every day with a request or a snapshot, in order, and what they come to. `before` is the last price before the first day. */
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
    const gain = gained(last, price)
    last = price ?? last
    const tokenPrice = price === undefined ? null : rounded(Number(price / 10n ** 9n) / 1e9, 9)
    return { date, ...shown(rows.find((each) => each.date === date) ?? nothing), token_price: tokenPrice, pnl_percent: gain }
  })
  const first = before ?? earliest?.tokenPrice
  const spansTime = before !== undefined ? prices.length > 0 : prices.length > 1
  return { days, total: { ...shown(rows.reduce(plus, nothing)), pnl_percent: spansTime ? gained(first, last) : null } }
}

const columns = [
  ...["date", "actions", "failed", "fees_usd", "fees_native", "gas_native", "gas_usd"] as const,
  ...["volume_usd", "slippage_usd", "slippage_percent", "token_price", "pnl_percent"] as const
]

export const reportCsv = (days: ReadonlyArray<Day>): string => csv(columns, days)
