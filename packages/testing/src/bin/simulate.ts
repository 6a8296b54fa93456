/**
 * `npm run simulate -- [--exchange] --seeds N [--from S] [--jobs J] [--check] [--verbose] [--json]`: lives whole lives of the real actors under
 * virtual time and seeded faults, of vaults on a chain or, with `--exchange`, of bots at an exchange. `--check` lives each twice and compares, `--verbose` prints the actors' logs, `--json` ends with the totals as JSON.
 */
import { loadCurve } from "@vault-trader/devnet/test-chain/Transaction"
import * as Secp256k1 from "@vault-trader/workers/gas-wallet/Secp256k1"
import { load } from "@vault-trader/workers/ccxt/CcxtLibrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Arguments from "../simulation/Arguments.ts"
import * as ExchangeLife from "../simulation/exchange/ExchangeLife.ts"
import * as WorkerPool from "../simulation/WorkerPool.ts"
import * as Run from "../simulation/Run.ts"
import * as Summary from "../simulation/Summary.ts"
import * as Trace from "../simulation/Trace.ts"
import * as VirtualPostgres from "../simulation/VirtualPostgres.ts"

const asked = Effect.runSync(Effect.result(Arguments.read(process.argv.slice(2))))
if (Result.isFailure(asked)) {
  console.error(asked.failure.message)
  process.exit(2)
}
const { jobs, ...wanted } = asked.success
const seeds = { from: wanted.from, count: wanted.seeds }
const options = { traced: wanted.check || wanted.verbose, logged: wanted.verbose }

const onChain = async (database: VirtualPostgres.Database) => {
  await Effect.runPromise(loadCurve)
  const ground: Run.Ground = { database, curve: await Secp256k1.make() }
  return (seed: number) => Run.live(ground, seed, options)
}
const atExchange = async (database: VirtualPostgres.Database) => {
  // Read before the first life: loading takes time of the real world.
  await Effect.runPromise(load)
  return (seed: number) => ExchangeLife.live(database, seed, options)
}

/** Lives it in this process; the ground is made once. */
const liver = async (): Promise<(seed: number) => Promise<Summary.Lived>> => {
  const database = await VirtualPostgres.make()
  const life = await (wanted.exchange ? atExchange(database) : onChain(database))
  // Refusals are made by the thousand, and nobody reads where.
  if (!wanted.verbose) Error.stackTraceLimit = 0
  const once = (seed: number) => Effect.runPromise(life(seed))
  let lives = 0
  return async (seed) => {
    if (++lives % 25 === 0) database.checkpoint()
    const { trace, ...lived } = await once(seed)
    if (!wanted.check) return lived
    const differs = Trace.difference(trace, (await once(seed)).trace)
    return differs === undefined ? lived : { ...lived, differs }
  }
}

const began = performance.now()
const seconds = () => (performance.now() - began) / 1000
const sum = Summary.make()
let toldAt = 0

const tell = (lived: Summary.Lived) => {
  sum.add(lived)
  const totals = sum.totals()
  const complaint = Summary.complaint(lived)
  if (complaint !== undefined) console.log(complaint)
  if (wanted.verbose) console.log(JSON.stringify(lived))
  if (seconds() - toldAt < 15 || totals.lives === seeds.count) return
  toldAt = seconds()
  const left = seconds() / totals.lives * (seeds.count - totals.lives)
  console.log(`${totals.lives} of ${seeds.count} lives, ${totals.broken.length} broke a promise; ${toldAt.toFixed(0)} s, about ${left.toFixed(0)} s left`)
}

if (wanted.child) {
  await WorkerPool.child(await liver())
  process.exit(0)
}
if (jobs > 1) await WorkerPool.parent(seeds, jobs, (["exchange", "check", "verbose"] as const).filter((name) => wanted[name]).map((name) => `--${name}`), tell)
else {
  const live = await liver()
  for (let seed = seeds.from; seed < seeds.from + seeds.count; seed++) tell(await live(seed))
}
const totals = sum.totals()
console.log(Summary.summary(totals, seconds()))
if (wanted.json) console.log(JSON.stringify(totals))
process.exit(totals.broken.length + totals.differing.length > 0 ? 1 : 0)
