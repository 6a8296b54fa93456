/** One line of what a bench found: our number, what it is held against in the same run, and the goal. */
import * as Schema from "effect/Schema"

/** A row as `bench/latest.json` keeps it. */
export const Row = Schema.Struct({
  name: Schema.String,
  /** The median of the rounds. */
  ours: Schema.Number,
  unit: Schema.String,
  /** The median of what ours is held against, in the same unit and run; null when there is nothing to hold it against. */
  baseline: Schema.NullOr(Schema.Number),
  /** What the baseline is. */
  against: Schema.NullOr(Schema.String),
  /** `ours` by `baseline`. */
  ratio: Schema.NullOr(Schema.Number),
  goal: Schema.NullOr(Schema.String),
  met: Schema.NullOr(Schema.Boolean),
  /** Ours, round by round. */
  rounds: Schema.Array(Schema.Number),
  note: Schema.String,
  commit: Schema.String,
  measured: Schema.String,
  /** Processes that wanted to run when the bench began: with more than there are cores, all is slower than it could be. */
  load: Schema.Number
})
export type Row = typeof Row.Type

/** What a goal asks of a row. */
export interface Goal {
  readonly text: string
  readonly isMetBy: (row: { readonly ours: number; readonly ratio: number | null }) => boolean
}

/** What a bench hands over; the rest of a row is computed. */
export interface Finding {
  readonly name: string
  readonly unit: string
  readonly rounds: ReadonlyArray<number>
  readonly against?: { readonly what: string; readonly rounds: ReadonlyArray<number> }
  readonly goal?: Goal
  readonly note?: string
}

export const atLeast = (least: number, unit: string): Goal => ({
  text: `≥ ${shown(least)}${unit}`,
  isMetBy: ({ ours }) => ours >= least
})
export const atMost = (most: number, unit: string): Goal => ({ text: `≤ ${shown(most)}${unit}`, isMetBy: ({ ours }) => ours <= most })
export const below = (bound: number, unit: string): Goal => ({ text: `< ${shown(bound)}${unit}`, isMetBy: ({ ours }) => ours < bound })
/** At least this many times the baseline. */
export const timesBaseline = (times: number, what: string): Goal => ({
  text: `≥ ${times} × ${what}`,
  isMetBy: ({ ratio }) => ratio !== null && ratio >= times
})
export const all = (...goals: ReadonlyArray<Goal>): Goal => ({
  text: goals.map(({ text }) => text).join(" and "),
  isMetBy: (row) => goals.every(({ isMetBy }) => isMetBy(row))
})

/** The middle one; the mean of the middle two of an even number. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  if (low === undefined || high === undefined) throw new RangeError("the median of nothing was asked for")
  return (low + high) / 2
}

/** Four significant digits: what is behind them is noise. */
export const rounded = (value: number): number => Number(value.toPrecision(4))

/** As people read it. */
export const shown = (value: number): string => rounded(value).toLocaleString("en-US", { maximumFractionDigits: 3 })

export const rowOf = (finding: Finding, about: Pick<Row, "commit" | "measured" | "load">): Row => {
  const ours = median(finding.rounds)
  const baseline = finding.against === undefined ? null : median(finding.against.rounds)
  // Of nothing no multiple can be told.
  const ratio = baseline === null || baseline === 0 ? null : ours / baseline
  return {
    name: finding.name,
    ours: rounded(ours),
    unit: finding.unit,
    baseline: baseline === null ? null : rounded(baseline),
    against: finding.against?.what ?? null,
    ratio: ratio === null ? null : rounded(ratio),
    goal: finding.goal?.text ?? null,
    met: finding.goal?.isMetBy({ ours, ratio }) ?? null,
    rounds: finding.rounds.map(rounded),
    note: finding.note ?? "",
    ...about
  }
}
