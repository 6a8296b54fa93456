/**
 * `npm run capacity`: prints what fleets of 1,000, 100,000 and 1,000,000 bots need, and the first limit of each; with the
 * size of a fleet, what that one needs. `--check` compares the model with a simulated fleet, `--measure` measures its
 * unit costs again, `--publish` writes the tables into docs/scale.md.
 */
import * as Logger from "effect/Logger"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as CapacityArguments from "./capacity/CapacityArguments.ts"
import * as CapacityPage from "./capacity/CapacityPage.ts"
import { needsTable, wallsTable } from "./capacity/CapacityTable.ts"
import { costs } from "./capacity/Costs.ts"

const parsed = Effect.runSync(Effect.result(CapacityArguments.read(process.argv.slice(2))))
if (Result.isFailure(parsed)) {
  console.error(parsed.failure.message)
  process.exit(2)
}
const request = parsed.success

/** Runs work that starts processes; stdout is for its result only. A signal ends the processes with their scopes. */
const running = async <A>(work: Effect.Effect<A>): Promise<A> => {
  const stop = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort())
  return await Effect.runPromise(
    work.pipe(
      Effect.provideService(References.MinimumLogLevel, "Warn"),
      Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)]))
    ),
    { signal: stop.signal }
  )
}

switch (request._tag) {
  case "sizes":
    console.log(CapacityPage.generated())
    break
  case "publish":
    CapacityPage.write()
    break
  case "fleet":
    console.log(needsTable([request.fleet], costs, request.processes))
    console.log(`\n${wallsTable([request.fleet], costs, request.surroundings, request.processes)}`)
    break
  case "measure":
    // Loaded here: the tables need neither PostgreSQL nor the devnet.
    console.log(await running((await import("./capacity/Measure.ts")).run))
    break
  case "check": {
    const Check = await import("./capacity/Check.ts")
    const compared = await running(Check.run)
    console.log(Check.textOf(compared))
    if (!compared.every(Check.isWithin)) process.exitCode = 1
    break
  }
}
