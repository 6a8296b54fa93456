/** `bench/seeds.json`: which seeds of the simulation were run with one version of its sources, and their results. */
import type { RunResult } from "@vault-trader/testing/simulation/Summary"
import * as FaultCounts from "@vault-trader/testing/simulation/FaultCounts"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "../RepositoryCopy.ts"
import type { Sources } from "./Sources.ts"

const Counts = Schema.Record(Schema.String, Schema.Number)

export const SeedRecord = Schema.Struct({
  sources: Schema.Struct({ count: Schema.Int, digest: Schema.String }),
  /** Ranges of seeds that were run, ends included. */
  seeds: Schema.Array(Schema.Tuple([Schema.Int, Schema.Int])),
  /** Seeds of runs that violated an invariant. */
  broken: Schema.Array(Schema.Int),
  /** Sums over all runs: intents and transactions by outcome, and injected faults by kind. */
  sums: Counts,
  faults: Counts
})
export type SeedRecord = typeof SeedRecord.Type

export const file = Path.join(root, "bench/seeds.json")

export const empty = (sources: Sources): SeedRecord => ({ sources, seeds: [], broken: [], sums: {}, faults: {} })

/** Reads the record, if it is one of these sources; results of other sources do not count. */
export const read = (sources: Sources, path = file): SeedRecord => {
  if (!Fs.existsSync(path)) return empty(sources)
  const record = Schema.decodeUnknownSync(Schema.fromJsonString(SeedRecord))(Fs.readFileSync(path, "utf8"))
  return record.sources.digest === sources.digest ? record : empty(sources)
}

/** Writes the record. A process that ends meanwhile leaves the old one or the new one. */
export const write = (record: SeedRecord, path = file): void => {
  Fs.writeFileSync(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`)
  Fs.renameSync(`${path}.new`, path)
}

export const has = ({ seeds }: SeedRecord, seed: number): boolean =>
  seeds.some(([first, last]) => first <= seed && seed <= last)

export const countSeeds = ({ seeds }: SeedRecord): number =>
  seeds.reduce((sum, [first, last]) => sum + last - first + 1, 0)

/** Adds a seed to ranges, and joins those that touch. */
const plusSeed = (ranges: SeedRecord["seeds"], seed: number): SeedRecord["seeds"] =>
  [...ranges, [seed, seed] as const].sort(([a], [b]) => a - b).reduce<Array<readonly [number, number]>>(
    (joined, [first, last]) => {
      const before = joined.at(-1)
      return before !== undefined && before[1] + 1 >= first
        ? [...joined.slice(0, -1), [before[0], Math.max(before[1], last)]]
        : [...joined, [first, last]]
    },
    []
  )

/** Adds the result of a run; one of a seed that the record has is not counted again. */
export const plus = (record: SeedRecord, result: Pick<RunResult, "seed" | "broken" | "sums" | "faults">): SeedRecord =>
  has(record, result.seed) ? record : {
    sources: record.sources,
    seeds: plusSeed(record.seeds, result.seed),
    broken: result.broken.length === 0 ? record.broken : [...record.broken, result.seed].sort((a, b) => a - b),
    sums: FaultCounts.plus(record.sums, result.sums),
    faults: FaultCounts.plus(record.faults, result.faults)
  }

/** Returns the first range of at most `most` seeds from `first` to `last` that the record does not have. */
export const missing = (
  record: SeedRecord,
  { first = 1, last, most }: { readonly first?: number; readonly last: number; readonly most: number }
): { readonly from: number; readonly count: number } | undefined => {
  let from = first
  while (has(record, from)) from++
  if (from > last) return undefined
  let count = 1
  while (count < most && from + count <= last && !has(record, from + count)) count++
  return { from, count }
}
