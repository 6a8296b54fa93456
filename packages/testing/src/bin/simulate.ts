/**
 * `npm run simulate -- [--exchange] [--rare] --seeds N [--from S] [--jobs J] [--check] [--first] [--verbose] [--json]`:
 * runs the real actors under virtual time and seeded faults, for vaults on a chain or, with `--exchange`, for bots at an
 * exchange. `--rare` draws faults that are rare by themselves in most runs, so that they meet each other. `--check` runs
 * each seed again without remembered reads and compares, `--first` ends at the first run that violates an invariant,
 * `--verbose` prints the actors' logs, `--json` ends with the summary as JSON.
 */
import { loadCurve } from "../test-chain/Transaction.ts"
import * as Secp256k1 from "@vault-trader/workers/gas-wallet/Secp256k1"
import { load } from "@vault-trader/workers/ccxt/CcxtLibrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Arguments from "../simulation/Arguments.ts"
import * as ExchangeRun from "../simulation/exchange/ExchangeRun.ts"
import * as WorkerPool from "../simulation/WorkerPool.ts"
import * as Run from "../simulation/Run.ts"
import * as Summary from "../simulation/Summary.ts"
import * as Trace from "../simulation/Trace.ts"
import * as VirtualPostgres from "../simulation/VirtualPostgres.ts"

const parsed = Effect.runSync(Effect.result(Arguments.read(process.argv.slice(2))))
if (Result.isFailure(parsed)) {
  console.error(parsed.failure.message)
  process.exit(2)
}
const { jobs, ...args } = parsed.success
const seeds = { from: args.from, count: args.seeds }
const options = { traced: args.check || args.verbose, logged: args.verbose, rare: args.rare }

const onChain = async (database: VirtualPostgres.Database) => {
  await Effect.runPromise(loadCurve)
  const resources: Run.RunResources = { database, curve: await Secp256k1.make() }
  return (seed: number, forgets: boolean) => Run.run(resources, seed, { ...options, forgets })
}
const atExchange = async (database: VirtualPostgres.Database) => {
  // Loaded before the first run: loading takes real time.
  await Effect.runPromise(load)
  return (seed: number, forgets: boolean) => ExchangeRun.run(database, seed, { ...options, forgets })
}

/** Builds a function that runs one seed in this process. The resources are created once. */
const makeRunner = async (): Promise<(seed: number) => Promise<Summary.RunResult>> => {
  const database = await VirtualPostgres.make()
  const runSeed = await (args.exchange ? atExchange(database) : onChain(database))
  // Refusals are created by the thousand, and their stack traces are not read.
  if (!args.verbose) Error.stackTraceLimit = 0
  const once = (seed: number, forgets = false) => Effect.runPromise(runSeed(seed, forgets))
  let runs = 0
  return async (seed) => {
    if (++runs % 25 === 0) database.checkpoint()
    const { trace, ...result } = await once(seed)
    if (!args.check) return result
    const differs = Trace.difference(trace, (await once(seed, true)).trace)
    return differs === undefined ? result : { ...result, differs }
  }
}

const startedAt = performance.now()
const seconds = () => (performance.now() - startedAt) / 1000
const accumulator = Summary.make()
let reportedAt = 0

/** Reports a result, and returns whether the runs go on. */
const report = (result: Summary.RunResult): boolean => {
  accumulator.add(result)
  const summary = accumulator.summary()
  const failure = Summary.failureText(result, args.rare ? " --rare" : "")
  if (failure !== undefined) console.log(failure)
  if (args.verbose) console.log(JSON.stringify(result))
  const goesOn = !args.first || summary.broken.length === 0
  if (seconds() - reportedAt < 15 || summary.runs === seeds.count) return goesOn
  reportedAt = seconds()
  const left = seconds() / summary.runs * (seeds.count - summary.runs)
  console.log(
    `${summary.runs} of ${seeds.count} runs, ${summary.broken.length} violated an invariant; ${
      reportedAt.toFixed(0)
    } s, about ${left.toFixed(0)} s left`
  )
  return goesOn
}

if (args.child) {
  await WorkerPool.child(await makeRunner())
  process.exit(0)
}
if (jobs > 1) {
  await WorkerPool.parent(
    seeds,
    jobs,
    (["exchange", "rare", "check", "verbose"] as const).filter((name) => args[name]).map((name) => `--${name}`),
    report
  )
} else {
  const run = await makeRunner()
  for (let seed = seeds.from; seed < seeds.from + seeds.count; seed++) if (!report(await run(seed))) break
}
const summary = accumulator.summary()
console.log(Summary.render(summary, seconds()))
if (args.json) console.log(JSON.stringify(summary))
process.exit(summary.broken.length + summary.differing.length > 0 ? 1 : 0)
