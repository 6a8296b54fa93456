/** A result of a bench: our number, the baseline measured in the same run, and the goal. */
import * as Schema from "effect/Schema"

/** A row of `bench/latest.json`. */
export const Row = Schema.Struct({
  name: Schema.String,
  /** Median of the rounds. */
  ours: Schema.Number,
  unit: Schema.String,
  /** Median of the baseline, in the same unit and run; null without a baseline. */
  baseline: Schema.NullOr(Schema.Number),
  /** Description of the baseline. */
  against: Schema.NullOr(Schema.String),
  /** `ours` divided by `baseline`. */
  ratio: Schema.NullOr(Schema.Number),
  goal: Schema.NullOr(Schema.String),
  met: Schema.NullOr(Schema.Boolean),
  /** Our number in each round. */
  rounds: Schema.Array(Schema.Number),
  note: Schema.String,
  commit: Schema.String,
  measured: Schema.String,
  /** Load average when the bench began: above the number of cores, everything runs slower. */
  load: Schema.Number
})
export type Row = typeof Row.Type

/** The goal of a row. */
export interface Goal {
  readonly text: string
  readonly isMetBy: (row: { readonly ours: number; readonly ratio: number | null }) => boolean
}

/** The result a bench returns; the rest of a row is computed. */
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
export const atMost = (most: number, unit: string): Goal => ({
  text: `≤ ${shown(most)}${unit}`,
  isMetBy: ({ ours }) => ours <= most
})
export const below = (bound: number, unit: string): Goal => ({
  text: `< ${shown(bound)}${unit}`,
  isMetBy: ({ ours }) => ours < bound
})
/** Requires at least this many times the baseline. */
export const timesBaseline = (times: number, what: string): Goal => ({
  text: `≥ ${times} × ${what}`,
  isMetBy: ({ ratio }) => ratio !== null && ratio >= times
})
export const all = (...goals: ReadonlyArray<Goal>): Goal => ({
  text: goals.map(({ text }) => text).join(" and "),
  isMetBy: (row) => goals.every(({ isMetBy }) => isMetBy(row))
})

/** Returns the middle value; of an even number of values, the mean of the middle two. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  if (low === undefined || high === undefined) throw new RangeError("the median of an empty list is undefined")
  return (low + high) / 2
}

/** Rounds to four significant digits: the rest is noise. */
export const rounded = (value: number): number => Number(value.toPrecision(4))

/** Formats a number for people. */
export const shown = (value: number): string => rounded(value).toLocaleString("en-US", { maximumFractionDigits: 3 })

export const rowOf = (finding: Finding, about: Pick<Row, "commit" | "measured" | "load">): Row => {
  const ours = median(finding.rounds)
  const baseline = finding.against === undefined ? null : median(finding.against.rounds)
  // There is no ratio to zero.
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
