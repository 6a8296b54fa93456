/**
 * The performance of a vault over a period, in the wire format. Money and quantities are decimal texts, computed with
 * `bigint`; percentages and statistics are numbers.
 */
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"

/** USD in human units, exact. */
const Usd = Schema.String
const UsdOrNull = Schema.NullOr(Schema.String)
const Percent = Schema.NullOr(Schema.Number)
/** ISO 8601, UTC. */
const Time = Schema.String

/** The periods that end now: their wire names and their lengths in seconds; `all` begins with the first sample. */
export const ranges = {
  "1d": 86_400,
  "7d": 7 * 86_400,
  "30d": 30 * 86_400,
  "90d": 90 * 86_400,
  "1y": 365 * 86_400,
  all: null
} as const
export const rangeNames = Object.keys(ranges) as ReadonlyArray<keyof typeof ranges>
export const Range = Schema.Literals(["1d", "7d", "30d", "90d", "1y", "all"])
export type Range = typeof Range.Type

/** The order in which lots are sold: oldest first, newest first, highest cost first. */
export const lotMethods = ["fifo", "lifo", "hifo"] as const
export const LotMethod = Schema.Literals(lotMethods)
export type LotMethod = typeof LotMethod.Type

/** A point of the value curve: a vault at one block. */
export const CurvePoint = Schema.Struct({
  time: Time,
  block: Schema.Int,
  /** The value of all that the vault holds. */
  value_usd: Usd,
  /** USD per vault token, after the fees that the vault owes its manager; null while it has no tokens. */
  share_price: UsdOrNull,
  /** The same, before the fees that are owed and not minted. */
  share_price_before_fees: UsdOrNull,
  /** Vault tokens. */
  supply: Schema.String,
  /**
   * Why nothing is known from the previous point to this one; null where the curve continues. A chart breaks its line
   * here, and nothing is interpolated.
   */
  gap: Schema.NullOr(Schema.String)
}).annotate({ identifier: "CurvePoint" })
export type CurvePoint = typeof CurvePoint.Type

/** A part of the period without samples. */
export const Gap = Schema.Struct({ from: Time, to: Time, reason: Schema.String }).annotate({ identifier: "CurveGap" })
export type Gap = typeof Gap.Type

export const Drawdown = Schema.Struct({
  /** Percent below the peak. */
  percent: Schema.Number,
  from: Time,
  to: Time
}).annotate({ identifier: "PerformanceDrawdown" })

/** The statistics of the returns from one sample to the next. */
export const Statistics = Schema.Struct({
  /** The length of one return, in seconds. */
  period_seconds: Schema.Int,
  returns: Schema.Int,
  /** By what a statistic of one return is annualised: the square root of the returns in a year. */
  annualisation: Schema.NullOr(Schema.Number),
  /** Percent a year. */
  risk_free: Schema.Number,
  volatility_percent: Percent,
  sharpe: Schema.NullOr(Schema.Number),
  sortino: Schema.NullOr(Schema.Number),
  /** Why statistics are null; null when all of them are known. */
  reason: Schema.NullOr(Schema.String)
}).annotate({ identifier: "PerformanceStatistics" })
export type Statistics = typeof Statistics.Type

/** The return of the same period without the vault's trades. */
export const Benchmark = Schema.Struct({
  /** `start allocation`, or an asset's symbol. */
  name: Schema.String,
  return_percent: Percent,
  /** The vault's net return minus this one. */
  excess_percent: Percent,
  reason: Schema.NullOr(Schema.String),
  /** Its return from the start until each time of the allocation; null where a price is missing. */
  curve: Schema.Array(Schema.Struct({ time: Time, return_percent: Percent }))
}).annotate({ identifier: "PerformanceBenchmark" })
export type Benchmark = typeof Benchmark.Type

/** The assets of a vault at one time, the largest first. */
export const AllocationPoint = Schema.Struct({
  time: Time,
  /** Percent of the value of all of them; debts are not part of it. */
  weights: Schema.Array(Schema.Struct({ asset: Address, symbol: Schema.String, percent: Schema.Number })),
  /** As in the curve. */
  gap: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AllocationPoint" })
export type AllocationPoint = typeof AllocationPoint.Type

/** The contribution of one asset. The last entry is the rest: the effects of trades, interest, fees, and gaps. */
export const Attribution = Schema.Struct({
  /** Null for the rest. */
  asset: Schema.NullOr(Address),
  symbol: Schema.String,
  /** Its price changes, times the holding at the start of each interval. */
  pnl_usd: Usd,
  /** In percentage points of the vault's return. */
  contribution_percent: Schema.Number,
  /** Percent of the vault's value, averaged over the period and at its end. */
  average_weight_percent: Schema.Number,
  end_weight_percent: Schema.Number
}).annotate({ identifier: "PerformanceAttribution" })
export type Attribution = typeof Attribution.Type

/** The trades of a source, by the ledger. */
const trades = {
  trades: Schema.Int,
  failed: Schema.Int,
  /** The value sold, by the vault's oracle when the trade was planned. */
  turnover_usd: Usd,
  /** The value sold minus the value bought, by that oracle; positive is a loss. */
  slippage_oracle_usd: Usd,
  slippage_oracle_percent: Percent,
  /** The part of the quotes that was not bought, in percent of the quotes, weighted by value; null without a quote. */
  slippage_quote_percent: Percent,
  /** Native human units. */
  gas_native: Schema.String,
  /** Null where an action has no native price. */
  gas_usd: UsdOrNull,
  charges_usd: Usd,
  /** The gain of the lots sold in the period whose cost is known; null without such lots. */
  realised_usd: UsdOrNull
}

export const TradeFigures = Schema.Struct(trades).annotate({ identifier: "TradeFigures" })
export type TradeFigures = typeof TradeFigures.Type

/** The makers of trades: a caller with its own requests, and the rules of the vault. */
export const sourceKinds = [
  "caller",
  "threshold_bot",
  "index_bot",
  "order",
  "strategy_bot",
  "follower",
  "guardian"
] as const

/** The trades of one rule of the vault, or of a caller's own requests. */
export const SourceFigures = Schema.Struct({
  kind: Schema.Literals(sourceKinds),
  /** The pair of a threshold bot; null for a caller and an index bot; the id of the others. */
  id: Schema.NullOr(Schema.String),
  /** For people. */
  name: Schema.String,
  ...trades
}).annotate({ identifier: "SourceFigures" })
export type SourceFigures = typeof SourceFigures.Type

/** The profit of a period. A deposit or a withdrawal is no profit and no loss. */
export const Profit = Schema.Struct({
  pnl_usd: UsdOrNull,
  /** Percent by the share price. */
  return_percent: Percent
}).annotate({ identifier: "Profit" })
export type Profit = typeof Profit.Type

/** A vault's performance. Figures of value are null, with a reason, while there are fewer than two samples. */
export const Performance = Schema.Struct({
  network: Network,
  pool: Address,
  from: Schema.NullOr(Time),
  to: Schema.NullOr(Time),
  /** Why figures of value are null; null when they are known. */
  reason: Schema.NullOr(Schema.String),
  coverage: Schema.Struct({
    samples: Schema.Int,
    /** The time from one sample to the next, in seconds, as it is configured or was thinned by retention. */
    interval_seconds: Schema.Int,
    /** Percent of the period that is not in a gap. */
    covered_percent: Schema.Number,
    gaps: Schema.Array(Gap)
  }),
  start_value_usd: UsdOrNull,
  end_value_usd: UsdOrNull,
  /** Deposits minus withdrawals, by the change of the supply at the share price of each sample. */
  net_flows_usd: UsdOrNull,
  start_share_price: UsdOrNull,
  end_share_price: UsdOrNull,
  /** Time-weighted, after the manager's fees. */
  return_percent: Percent,
  /** The same before the fees that accrued in the period, minted or not. */
  return_before_fees_percent: Percent,
  /** The same after gas and charges, which the gas wallet pays and the vault does not. */
  return_after_gas_percent: Percent,
  /** The profit of the vault's holders over the period. */
  pnl_usd: UsdOrNull,
  pnl_after_gas_usd: UsdOrNull,
  /** By the lots sold in the period, and by those held now; see `getTaxLots`. */
  realised_usd: UsdOrNull,
  unrealised_usd: UsdOrNull,
  /** The last day, the last week, and all that is sampled, whatever the period. */
  day: Profit,
  week: Profit,
  all: Profit,
  fees: Schema.Struct({
    /**
     * Vault tokens that were owed and then minted to the manager and to the platform, by any caller, and their
     * value at the share price of that time.
     */
    minted_shares: Schema.String,
    minted_usd: UsdOrNull,
    /** The cost of the period's fees to its holders: the difference of the returns before and after them. */
    accrued_usd: UsdOrNull,
    /** Owed at the end and not minted. */
    owed_shares: Schema.NullOr(Schema.String),
    owed_usd: UsdOrNull
  }),
  trading: TradeFigures,
  /** The turnover in percent of the average value. */
  turnover_percent: Percent,
  /** Percent of the value that is not in stablecoins, averaged over the period, and at its end. */
  exposure: Schema.Struct({ average_percent: Percent, end_percent: Percent }),
  drawdown: Schema.NullOr(Drawdown),
  statistics: Statistics,
  benchmarks: Schema.Array(Benchmark),
  /** At most 100 of the samples. */
  allocation: Schema.Array(AllocationPoint),
  attribution: Schema.Array(Attribution),
  sources: Schema.Array(SourceFigures),
  /** At most `points` of the samples: the first, the last, those beside gaps, and an even choice of the others. */
  curve: Schema.Array(CurvePoint)
}).annotate({ identifier: "Performance" })
export type Performance = typeof Performance.Type

/** A sale of a part of a lot, or of a quantity whose purchase is not in the ledger (`acquired_at` is null). */
export const Disposal = Schema.Struct({
  asset: Address,
  symbol: Schema.String,
  quantity: Schema.String,
  acquired_at: Schema.NullOr(Time),
  disposed_at: Time,
  proceeds_usd: UsdOrNull,
  /** Null where the purchase is not in the ledger. */
  cost_usd: UsdOrNull,
  gain_usd: UsdOrNull,
  holding_days: Schema.NullOr(Schema.Int),
  acquired_tx: Schema.NullOr(Hash),
  disposed_tx: Schema.NullOr(Hash),
  disposed_by: Schema.String
}).annotate({ identifier: "Disposal" })
export type Disposal = typeof Disposal.Type

/** A lot, or the part of it that is still held. */
export const OpenLot = Schema.Struct({
  asset: Address,
  symbol: Schema.String,
  quantity: Schema.String,
  acquired_at: Time,
  cost_usd: UsdOrNull,
  value_usd: UsdOrNull,
  unrealised_usd: UsdOrNull,
  acquired_tx: Schema.NullOr(Hash)
}).annotate({ identifier: "OpenLot" })
export type OpenLot = typeof OpenLot.Type

/** A point of the sum of several vaults. */
export const PortfolioPoint = Schema.Struct({
  time: Time,
  /** Null where one of the vaults has a gap: a sum without it would look like a loss. */
  value_usd: UsdOrNull,
  /** The profit since the start of the range, without deposits and withdrawals; null like the value. */
  pnl_usd: UsdOrNull
}).annotate({ identifier: "PortfolioPoint" })
export type PortfolioPoint = typeof PortfolioPoint.Type

/** One vault in the sum. */
export const PortfolioVault = Schema.Struct({
  wallet: Address,
  network: Network,
  pool: Address,
  value_usd: UsdOrNull,
  share_price: UsdOrNull,
  /** The time of its newest sample; null before the first. */
  sampled_at: Schema.NullOr(Time),
  day: Profit,
  week: Profit,
  all: Profit,
  /** Share prices over the range, for a small chart: at most 60, null in a gap. */
  sparkline: Schema.Array(UsdOrNull)
}).annotate({ identifier: "PortfolioVault" })
export type PortfolioVault = typeof PortfolioVault.Type

/** All vaults that a manager's wallets are linked to, or those of one wallet, each vault once. */
export const Portfolio = Schema.Struct({
  value_usd: UsdOrNull,
  day: Profit,
  week: Profit,
  all: Profit,
  curve: Schema.Array(PortfolioPoint),
  vaults: Schema.Array(PortfolioVault)
}).annotate({ identifier: "Portfolio" })
export type Portfolio = typeof Portfolio.Type
