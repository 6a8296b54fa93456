/** A vault's ended intents as far as performance needs them: what moved, what it was worth, and what it cost. */
import * as Arr from "effect/Array"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { format } from "../chain/Quantity.ts"
import { type SourceFigures, sourceKinds, type TradeFigures } from "./Performance.ts"
import { one18, round } from "./ReturnMetrics.ts"

const Big = Schema.BigIntFromString
const BigOrNull = Schema.NullOr(Big)
const Text = Schema.NullOr(Schema.String)

/** A row of the query. Amounts are decimal texts of JSON, as the outcome has them. */
export const LedgerRow = Schema.Struct({
  id: Schema.String,
  at: Schema.Date,
  succeeded: Schema.Boolean,
  txHash: Schema.NullOr(Hash),
  source: Schema.Literals(sourceKinds),
  sourceId: Text,
  /** Wei, 0 where nothing was mined. */
  gas: Big,
  /** USD, 18 decimals. */
  charge18: Big,
  nativePrice18: BigOrNull,
  soldAsset: Schema.NullOr(Address),
  soldSymbol: Text,
  soldAmount: Text,
  soldRaw: BigOrNull,
  sold18: BigOrNull,
  boughtAsset: Schema.NullOr(Address),
  boughtSymbol: Text,
  boughtAmount: Text,
  boughtRaw: BigOrNull,
  bought18: BigOrNull,
  quotedRaw: BigOrNull,
  /** The kind of a supply to a lender, or of a withdrawal from one. */
  loan: Schema.NullOr(Schema.Literals(["lent", "returned"])),
  loanAsset: Schema.NullOr(Address),
  loanSymbol: Text,
  loanAmount: Text,
  loanRaw: BigOrNull
}).annotate({ identifier: "PerformanceLedgerRow" })
export type LedgerRow = typeof LedgerRow.Type

/** A quantity of an asset that moved in a trade. */
export interface Moved {
  readonly asset: Address
  readonly symbol: string
  readonly decimals: number
  readonly raw: bigint
  /** USD with 18 decimals, by the vault's oracle at planning; null where the outcome lacks it. */
  readonly usd18: bigint | null
}

export interface LedgerTrade extends Pick<LedgerRow, "id" | "at" | "succeeded" | "txHash" | "source" | "sourceId"> {
  readonly gas: bigint
  readonly charge18: bigint
  /** USD per whole native token; null where no action near it has a price. */
  readonly nativePrice18: bigint | null
  /** Null for an action that is no trade. */
  readonly swap: { readonly sold: Moved; readonly bought: Moved; readonly quoted: bigint | null } | null
  /** A supply to a lender, or a withdrawal from one; null for other actions. */
  readonly loan: { readonly kind: "lent" | "returned"; readonly moved: Moved } | null
}

/** Finds the decimals with which the smallest units are the amount. */
const decimalsOf = (raw: bigint, amount: string): number => {
  for (let decimals = 0; decimals <= 77; decimals++) if (format(raw, decimals) === amount) return decimals
  return 18
}

const movedOf = (
  asset: Address | null,
  symbol: string | null,
  amount: string | null,
  raw: bigint | null,
  usd18: bigint | null
): Moved | null =>
  asset === null || symbol === null || amount === null || raw === null || raw <= 0n
    ? null
    : { asset, symbol, raw, usd18, decimals: decimalsOf(raw, amount) }

const tradeOf = (row: LedgerRow): LedgerTrade => {
  const { at, charge18, gas, id, nativePrice18, source, sourceId, succeeded, txHash } = row
  const sold = movedOf(row.soldAsset, row.soldSymbol, row.soldAmount, row.soldRaw, row.sold18)
  const bought = movedOf(row.boughtAsset, row.boughtSymbol, row.boughtAmount, row.boughtRaw, row.bought18)
  const loaned = movedOf(row.loanAsset, row.loanSymbol, row.loanAmount, row.loanRaw, null)
  return {
    ...{ id, at, succeeded, txHash, source, sourceId, gas, charge18, nativePrice18 },
    loan: !succeeded || txHash === null || row.loan === null || loaned === null
      ? null
      : { kind: row.loan, moved: loaned },
    swap: !succeeded || txHash === null || sold === null || bought === null
      ? null
      : { sold, bought, quoted: row.quotedRaw }
  }
}

/** Builds the trades, oldest first. An action without a native price has that of the action before it, or after it. */
export const tradesOf = (rows: ReadonlyArray<LedgerRow>): ReadonlyArray<LedgerTrade> => {
  const trades = rows.map(tradeOf)
  let last = trades.find(({ nativePrice18 }) => nativePrice18 !== null)?.nativePrice18 ?? null
  return trades.map((trade) => {
    last = trade.nativePrice18 ?? last
    return { ...trade, nativePrice18: last }
  })
}

/** The values of a trade's swap, where both are known. */
interface Worth {
  readonly sold18: bigint
  readonly bought18: bigint
  readonly raw: bigint
  readonly quoted: bigint | null
}

const worthOf = ({ swap }: LedgerTrade): ReadonlyArray<Worth> =>
  swap === null || swap.sold.usd18 === null || swap.bought.usd18 === null
    ? []
    : [{ sold18: swap.sold.usd18, bought18: swap.bought.usd18, raw: swap.bought.raw, quoted: swap.quoted }]

/** Computes by how many percent less than quoted was bought, weighted by value. */
const quoteSlippage = (all: ReadonlyArray<Worth>): number | null => {
  let [lost, weight] = [0, 0]
  for (const { quoted, raw, sold18 } of all) {
    if (quoted === null || quoted <= 0n) continue
    const value = Number(sold18 / 10n ** 12n) / 1e6
    lost += Number((quoted - raw) * 10n ** 9n / quoted) / 1e7 * value
    weight += value
  }
  return weight === 0 ? null : round(lost / weight)
}

/** Computes the figures of some trades. `realised18`: of the lots that they sold; null without any of known cost. */
export const tradeFiguresOf = (trades: ReadonlyArray<LedgerTrade>, realised18: bigint | null): TradeFigures => {
  const all = trades.flatMap(worthOf)
  const sold = all.reduce((sum, { sold18 }) => sum + sold18, 0n)
  const slippage = all.reduce((sum, { bought18, sold18 }) => sum + sold18 - bought18, 0n)
  const gas = trades.reduce((sum, trade) => sum + trade.gas, 0n)
  const gas18 = gasUsdOf(trades)
  return {
    trades: trades.filter(({ swap }) => swap !== null).length,
    failed: trades.filter(({ succeeded }) => !succeeded).length,
    turnover_usd: format(sold, 18),
    slippage_oracle_usd: format(slippage, 18),
    slippage_oracle_percent: sold === 0n ? null : Number(slippage * 1_000_000n / sold) / 1e4,
    slippage_quote_percent: quoteSlippage(all),
    gas_native: format(gas, 18),
    gas_usd: gas18 === null ? null : format(gas18, 18),
    charges_usd: format(trades.reduce((sum, { charge18 }) => sum + charge18, 0n), 18),
    realised_usd: realised18 === null ? null : format(realised18, 18)
  }
}

/** Sums the value of the gas, USD with 18 decimals; null where a native price is not known. */
export const gasUsdOf = (trades: ReadonlyArray<LedgerTrade>): bigint | null => {
  let sum = 0n
  for (const { gas, nativePrice18 } of trades) {
    if (gas === 0n) continue
    if (nativePrice18 === null) return null
    sum += gas * nativePrice18 / one18
  }
  return sum
}

/** Names the source of a trade, for people. */
export const sourceName = ({ source, sourceId }: Pick<LedgerTrade, "source" | "sourceId">): string => {
  switch (source) {
    case "threshold_bot":
      return `${sourceId ?? ""} bot`
    case "index_bot":
      return "index bot"
    case "order":
      return `order ${sourceId ?? ""}`
    case "strategy_bot":
      return `strategy bot ${sourceId ?? ""}`
    case "follower":
      return `follower ${sourceId ?? ""}`
    case "guardian":
      return `guardian ${sourceId ?? ""}`
    case "caller":
      return "requests"
  }
}

const keyOf = ({ source, sourceId }: Pick<LedgerTrade, "source" | "sourceId">) => `${source}/${sourceId ?? ""}`

/** Groups trades by their source, those with the most turnover first. */
export const sourcesOf = (
  trades: ReadonlyArray<LedgerTrade>,
  realised18: (ids: ReadonlySet<string>) => bigint | null
): ReadonlyArray<SourceFigures> =>
  Object.values(Arr.groupBy(trades, keyOf)).map((group) => {
    const [first] = group
    return {
      kind: first.source,
      id: first.sourceId,
      name: sourceName(first),
      ...tradeFiguresOf(group, realised18(new Set(group.map(({ id }) => id))))
    }
  }).sort((one, other) => Number(other.turnover_usd) - Number(one.turnover_usd))
