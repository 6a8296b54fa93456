/** `npm run simulate -- --seeds N [--from S] [--verbose]`: lives whole lives of the real actors under virtual time and seeded faults. */
import * as Effect from "effect/Effect"
import { live } from "./simulation/Life.ts"
import * as VirtualPostgres from "./simulation/VirtualPostgres.ts"

const option = (name: string, fallback: number) => {
  const place = process.argv.indexOf(`--${name}`)
  return place === -1 ? fallback : Number(process.argv[place + 1])
}

const seeds = option("seeds", 100)
const from = option("from", 1)
const verbose = process.argv.includes("--verbose")

const pg = await VirtualPostgres.make()
const began = performance.now()
const total = { accepted: 0, succeeded: 0, failed: 0, mined: 0, replaced: 0, superseded: 0 }
let broken = 0
for (let seed = from; seed < from + seeds; seed++) {
  const report = await Effect.runPromise(live(pg, seed, verbose))
  for (const key of Object.keys(total) as Array<keyof typeof total>) total[key] += report[key]
  if (verbose) console.log(JSON.stringify(report))
  if (report.broken.length > 0) {
    broken += 1
    console.log(`seed ${seed} broke ${report.broken.length} promises; replay: npm run simulate -- --from ${seed} --seeds 1 --verbose`)
    for (const promise of report.broken.slice(0, 5)) console.log(`  ${promise}`)
  }
}
const took = (performance.now() - began) / 1000
console.log(`${seeds} lives in ${took.toFixed(1)} s: ${total.accepted} accepted, ${total.succeeded} succeeded, ${total.failed} failed, ` +
  `${total.mined} mined, ${total.replaced} replacements, ${total.superseded} superseded; ${broken} lives broke a promise`)
process.exit(broken > 0 ? 1 : 0)
