/** What many lives come to. */
import type { Report } from "./Run.ts"
import * as FaultCounts from "./FaultCounts.ts"

/** A life as far as it is counted. */
export interface Lived extends Omit<Report, "trace"> {
  /** Where living it again came out different; only when it was lived twice. */
  readonly differs?: string
}

export interface Totals {
  readonly lives: number
  readonly broken: ReadonlyArray<{ readonly seed: number; readonly promises: ReadonlyArray<string> }>
  readonly differing: ReadonlyArray<{ readonly seed: number; readonly differs: string }>
  readonly sums: FaultCounts.Counts
  readonly faults: FaultCounts.Counts
  readonly points: Report["points"]
  /** Of each life, by its seed. */
  readonly digests: Readonly<Record<number, string>>
}

export interface Sum {
  readonly add: (life: Lived) => void
  readonly totals: () => Totals
}

/** Adds lives up. */
export const make = (): Sum => {
  const broken: Array<Totals["broken"][number]> = []
  const differing: Array<Totals["differing"][number]> = []
  const digests: Record<number, string> = {}
  const points: Record<string, { passed: number; ended: number }> = {}
  let sums: FaultCounts.Counts = {}
  let faults: FaultCounts.Counts = {}
  let lives = 0
  return {
    add: (life) => {
      lives += 1
      if (life.broken.length > 0) broken.push({ seed: life.seed, promises: life.broken })
      if (life.differs !== undefined) differing.push({ seed: life.seed, differs: life.differs })
      digests[life.seed] = life.digest
      sums = FaultCounts.plus(sums, life.sums)
      faults = FaultCounts.plus(faults, life.faults)
      for (const [name, { ended, passed }] of Object.entries(life.points)) {
        const before = points[name] ?? { ended: 0, passed: 0 }
        points[name] = { ended: before.ended + ended, passed: before.passed + passed }
      }
    },
    totals: () => ({ lives, broken, differing, sums, faults, points, digests })
  }
}

const replay = ({ kind, seed }: Pick<Lived, "kind" | "seed">, options = "") =>
  `npm run simulate -- ${kind === "exchange" ? "--exchange " : ""}--from ${seed} --seeds 1${options}`
const most = 5

/** What is told at once when a life went wrong, and how to live it again. */
export const complaint = (lived: Lived): string | undefined => {
  const { broken, differs, seed } = lived
  const promises = broken.slice(0, most).map((promise) => `  ${promise}`)
  const kept = broken.length === 0 ? [] : [`seed ${seed} broke ${broken.length} promises; replay: ${replay(lived, " --verbose")}`, ...promises]
  const same = differs === undefined ? [] : [`seed ${seed} lived twice came out different; again: ${replay(lived, " --check")}`, differs]
  return kept.length + same.length === 0 ? undefined : [...kept, ...same].join("\n")
}

const told = ({ sums }: Pick<Totals, "sums">) => Object.entries(sums).map(([name, count]) => `${count} ${name}`).join(", ")

const columns = (lines: ReadonlyArray<readonly [name: string, count: string]>): ReadonlyArray<string> => {
  const width = Math.max(0, ...lines.map(([name]) => name.length))
  return lines.map(([name, count]) => `  ${name.padEnd(width)}  ${count}`)
}

/** The end of a run in words. */
export const summary = (totals: Totals, seconds: number): string =>
  [
    "faults:",
    ...columns(Object.entries(totals.faults).map(([name, count]) => [name, String(count)])),
    "writes at which a runner or an actor ended, of those passed in trouble:",
    ...columns(Object.entries(totals.points).map(([name, { ended, passed }]) => [name, `${ended} of ${passed}`])),
    `${totals.lives} lives in ${seconds.toFixed(1)} s: ${told(totals)}; ${totals.broken.length} lives broke a promise` +
    (totals.differing.length > 0 ? `, ${totals.differing.length} came out different the second time` : "")
  ].join("\n")
