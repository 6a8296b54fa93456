/**
 * `npm run seeds -- [--from F] [--seeds N] [--jobs J]`: runs those of the seeds F to N of `npm run simulate` that
 * bench/seeds.json does not have for the present sources, and adds their results to it; stopped at any time, it resumes
 * where it was. The exit code is 1 if a run violated an invariant.
 */
import * as ToolOptions from "@vault-trader/app/ToolOptions"
import * as Summary from "@vault-trader/testing/simulation/Summary"
import * as WorkerPool from "@vault-trader/testing/simulation/WorkerPool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SeedRecord from "./seeds/SeedRecord.ts"
import * as Sources from "./seeds/Sources.ts"

const usage = "Usage: npm run seeds -- [--from F] [--seeds N] [--jobs J]"
/** Processes are replaced after this many runs, so that a fault of one costs little. */
const seedsPerRound = 500
const writeIntervalMillis = 15_000

const options = {
  from: { type: "string", default: "1" },
  seeds: { type: "string", default: "10000" },
  jobs: { type: "string", default: "2" }
} as const
const parsed = Effect.runSync(Effect.result(Effect.gen(function*() {
  const { from, jobs, seeds } = yield* ToolOptions.parse(process.argv.slice(2), options, usage)
  return {
    first: yield* ToolOptions.wholeNumber("from", from, usage),
    last: yield* ToolOptions.wholeNumber("seeds", seeds, usage),
    jobs: yield* ToolOptions.wholeNumber("jobs", jobs, usage)
  }
})))
if (Result.isFailure(parsed)) {
  console.error(parsed.failure.message)
  process.exit(2)
}
const { first, jobs, last } = parsed.success

const sources = await Sources.ofProgram("packages/testing/src/bin/simulate.ts")
let record = SeedRecord.read(sources)
let writtenAt = performance.now()
const write = () => {
  SeedRecord.write(record)
  writtenAt = performance.now()
}
const progress = () =>
  `${SeedRecord.countSeeds(record)} seeds of ${sources.count} sources (${sources.digest.slice(0, 12)}), ${
    record.broken.length === 0 ? "none violated an invariant" : `violated an invariant: ${record.broken.join(", ")}`
  }`

const report = (result: Summary.RunResult): boolean => {
  const failure = Summary.failureText(result)
  if (failure !== undefined) console.log(failure)
  record = SeedRecord.plus(record, result)
  if (performance.now() - writtenAt >= writeIntervalMillis) {
    write()
    console.log(progress())
  }
  return true
}

for (;;) {
  const next = SeedRecord.missing(record, { first, last, most: seedsPerRound })
  if (next === undefined) break
  await WorkerPool.parent(next, jobs, [], report)
  write()
}
write()
console.log(progress())
process.exit(record.broken.length === 0 ? 0 : 1)
