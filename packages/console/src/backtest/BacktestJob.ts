/** The requests and answers of a backtest: plain data, which passes between the page and its worker. */
import type { OrderState } from "@vault-trader/core/vault-order/VaultOrder"
import type { BacktestKind } from "../bots/BacktestSearch.ts"

/** The things that can be tested. */
export type Kind = BacktestKind

/** Values of the form by the names of their parameters. A sweep replaces some of them. */
export type Values = Readonly<Record<string, string>>

/** The content of a file, or of an exchange's answer, with the name that errors use. */
export interface Source {
  readonly name: string
  readonly text: string
}

export interface TargetValues {
  readonly asset: string
  readonly weight: string
  readonly tolerance: string
}

export interface Job {
  readonly kind: Kind
  readonly values: Values
  /** Of an index; empty for the others. */
  readonly targets: ReadonlyArray<TargetValues>
  /** The prices of the base, or of each asset of an index but the quote. */
  readonly candles: ReadonlyArray<{ readonly symbol: string; readonly source: Source }>
  /** Changes of a threshold bot's side. */
  readonly signals: Source | null
  /** Prices of the base's inverse token. */
  readonly inverse: Source | null
}

/** Reasons without values. */
export type PlainFault =
  | ("pair" | "fewBars" | "twoSides" | "noInverse" | "nothingToSweep" | "size" | "smallAmount")
  | ("dcaShare" | "bracketPrices" | "shortSlices" | "longSchedule" | "broken")

/** Why a backtest cannot run. `message` is the sentence of a file's reader, which names file and line. */
export type Fault =
  | { readonly code: "file"; readonly message: string }
  | { readonly code: "targets"; readonly message: string }
  | { readonly code: "value"; readonly name: string; readonly value: string }
  | { readonly code: "range"; readonly name: string; readonly value: string }
  | { readonly code: "combinations"; readonly count: number; readonly max: number }
  | { readonly code: "windows"; readonly bars: number; readonly needed: number }
  | { readonly code: "missing"; readonly symbol: string }
  | { readonly code: PlainFault }

/** The job of a form, or why it has none; undefined if its fields show what is wrong. */
export type Ready = Job | Fault | undefined

/** Figures of a curve: US dollars and percentages. */
export interface CurveFigures {
  readonly start: number
  readonly end: number
  readonly pnl: number
  readonly percent: number
  readonly drawdown: number
  readonly volatility: number | null
  readonly sharpe: number | null
  readonly sortino: number | null
}

export interface Curve {
  /** As in the file of the equity: `bot`, `hold_WETH`. */
  readonly name: string
  /** The asset that is held; null for the bot or order itself, and for the targets of an index. */
  readonly held: string | null
  readonly figures: CurveFigures
  /** US dollars at each bar's close. */
  readonly values: ReadonlyArray<number>
}

export interface TradeLine {
  readonly time: number
  readonly sold: string
  readonly from: string
  readonly bought: string
  readonly to: string
  readonly usd: number
  readonly cost: number
  readonly reason: string
}

/** The regularity of a series of prices. */
export interface SeriesNote {
  readonly name: string
  readonly bars: number
  /** The usual seconds from one bar to the next. */
  readonly step: number
  readonly gaps: number
  readonly missing: number
}

/** How an order stands at the end. */
export interface OrderEnd {
  readonly state: OrderState
  readonly reason: string
  readonly trigger: { readonly condition: string; readonly price: string; readonly at: number } | null
}

export interface Report {
  readonly kind: Kind
  /** Begins of the bars, unix seconds. */
  readonly times: ReadonlyArray<number>
  readonly quote: string
  /** The bot's or the order's own curve first. */
  readonly curves: ReadonlyArray<Curve>
  readonly trades: ReadonlyArray<TradeLine>
  readonly turnover: number
  readonly costs: number
  /** The deepest fall; null without one. */
  readonly fall: { readonly from: number; readonly to: number } | null
  readonly series: ReadonlyArray<SeriesNote>
  /** Times that not all series have. */
  readonly left: number
  /** Signals that were read, and those after the last bar; null without a file of them. */
  readonly signals: { readonly count: number; readonly late: number } | null
  /** True if a column of the candles says the side. */
  readonly hasSideColumn: boolean
  readonly order: OrderEnd | null
  readonly csv: { readonly trades: string; readonly equity: string }
}

/** Measures by which a sweep is judged. */
export const objectives = ["sharpe", "return", "calmar"] as const
export type Objective = typeof objectives[number]

/** A parameter and its values, as typed: `1..10:1` or `1|2|5`. */
export interface Swept {
  readonly name: string
  readonly values: string
}

export interface SweepJob extends Job {
  readonly swept: ReadonlyArray<Swept>
  readonly objective: Objective
  /** Bars of the train and of the test window; null without a split. */
  readonly windows: { readonly train: number; readonly test: number } | null
}

export interface Figures {
  readonly percent: number
  readonly drawdown: number
  readonly sharpe: number | null
  readonly trades: number
}

/** A combination of a sweep over all bars. */
export interface SweepRow {
  readonly values: Values
  readonly figures: Figures
  readonly score: number
}

/** A train window's best combination, measured in the test window after it. */
export interface FoldRow {
  readonly from: number
  readonly to: number
  readonly values: Values
  readonly trained: Figures
  readonly tested: Figures
}

/** All windows of a sweep, one after the other. */
export interface WalkReport {
  readonly combinations: number
  readonly folds: ReadonlyArray<FoldRow>
  readonly percent: number
  readonly gained: number
}

export type Request =
  | { readonly _tag: "describe"; readonly source: Source; readonly content: "candles" | "signals" }
  | { readonly _tag: "run"; readonly job: Job }
  | { readonly _tag: "sweep"; readonly job: SweepJob }

export type Answer =
  | { readonly _tag: "described"; readonly count: number; readonly series: SeriesNote | null }
  | { readonly _tag: "report"; readonly report: Report }
  | { readonly _tag: "swept" }
  | { readonly _tag: "walked"; readonly walk: WalkReport }
  | { readonly _tag: "refused"; readonly fault: Fault }

/** Runs that are done, of all; rows of a sweep that are new. */
export interface Progress {
  readonly _tag: "progress"
  readonly done: number
  readonly of: number
  readonly rows: ReadonlyArray<SweepRow>
}
