/** Summarises many runs. */
import type { Report } from "./Run.ts"
import * as FaultCounts from "./FaultCounts.ts"

/** The result of one run, as far as it is counted. */
export interface RunResult extends Omit<Report, "trace"> {
  /** The first difference of a second run; only with `--check`, and only if there is one. */
  readonly differs?: string
}

export interface Summary {
  readonly runs: number
  readonly broken: ReadonlyArray<{ readonly seed: number; readonly invariants: ReadonlyArray<string> }>
  readonly differing: ReadonlyArray<{ readonly seed: number; readonly differs: string }>
  readonly sums: FaultCounts.Counts
  readonly faults: FaultCounts.Counts
  readonly points: Report["points"]
  /** The trace's hash of each run, by seed. */
  readonly digests: Readonly<Record<number, string>>
}

interface Accumulator {
  readonly add: (result: RunResult) => void
  readonly summary: () => Summary
}

/** Accumulates the results of runs. */
export const make = (): Accumulator => {
  const broken: Array<Summary["broken"][number]> = []
  const differing: Array<Summary["differing"][number]> = []
  const digests: Record<number, string> = {}
  const points: Record<string, { passed: number; ended: number }> = {}
  let sums: FaultCounts.Counts = {}
  let faults: FaultCounts.Counts = {}
  let runs = 0
  return {
    add: (result) => {
      runs += 1
      if (result.broken.length > 0) broken.push({ seed: result.seed, invariants: result.broken })
      if (result.differs !== undefined) differing.push({ seed: result.seed, differs: result.differs })
      digests[result.seed] = result.digest
      sums = FaultCounts.plus(sums, result.sums)
      faults = FaultCounts.plus(faults, result.faults)
      for (const [name, { ended, passed }] of Object.entries(result.points)) {
        const before = points[name] ?? { ended: 0, passed: 0 }
        points[name] = { ended: before.ended + ended, passed: before.passed + passed }
      }
    },
    summary: () => ({ runs, broken, differing, sums, faults, points, digests })
  }
}

const replay = ({ kind, seed }: Pick<RunResult, "kind" | "seed">, options: string) =>
  `npm run simulate -- ${kind === "exchange" ? "--exchange " : ""}--from ${seed} --seeds 1${options}`
const maxListed = 5

/**
 * Describes a failed run, with the command that replays it; `undefined` when the run passed. `options`: those of its run,
 * each after a space.
 */
export const failureText = (result: RunResult, options = ""): string | undefined => {
  const { broken, differs, seed } = result
  const invariants = broken.slice(0, maxListed).map((invariant) => `  ${invariant}`)
  const violations = broken.length === 0
    ? []
    : [
      `seed ${seed} violated ${broken.length} invariants; replay: ${replay(result, `${options} --verbose`)}`,
      ...invariants
    ]
  const differences = differs === undefined
    ? []
    : [`seed ${seed} differed when it ran twice; replay: ${replay(result, `${options} --check`)}`, differs]
  return violations.length + differences.length === 0 ? undefined : [...violations, ...differences].join("\n")
}

const sumsText = ({ sums }: Pick<Summary, "sums">) =>
  Object.entries(sums).map(([name, count]) => `${count} ${name}`).join(", ")

const columns = (lines: ReadonlyArray<readonly [name: string, count: string]>): ReadonlyArray<string> => {
  const width = Math.max(0, ...lines.map(([name]) => name.length))
  return lines.map(([name, count]) => `  ${name.padEnd(width)}  ${count}`)
}

/** Renders the summary as text. */
export const render = (total: Summary, seconds: number): string =>
  [
    "faults:",
    ...columns(Object.entries(total.faults).map(([name, count]) => [name, String(count)])),
    "writes at which a runner or an actor ended, of those reached in the fault phase:",
    ...columns(Object.entries(total.points).map(([name, { ended, passed }]) => [name, `${ended} of ${passed}`])),
    `${total.runs} runs in ${seconds.toFixed(1)} s: ${
      sumsText(total)
    }; ${total.broken.length} runs violated an invariant` +
    (total.differing.length > 0 ? `, ${total.differing.length} differed the second time` : "")
  ].join("\n")
