/**
 * Profiles a process of the service under load: it runs with V8's sampling profiler and writes its samples when it
 * ends; those of the measured time are kept. No debugger's port is opened in a process that holds keys.
 */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as Fs from "node:fs"
import type { Profiler } from "node:inspector/promises"
import * as Path from "node:path"
import { say } from "../Bench.ts"
import { root } from "../Machine.ts"
import * as Profile from "../Profile.ts"
import { type Process, ServiceUnderTest } from "../engine/ServiceUnderTest.ts"
import * as ProcessUsage from "./ProcessUsage.ts"

/** Microseconds by the clock of the profiler's samples, which all processes share. */
const now = () => Number(process.hrtime.bigint() / 1000n)

/** The work to profile, and the work before it, which is not. */
interface Work<A, R> {
  readonly prepared: (service: Process) => Effect.Effect<A, never, R>
  /** Returns the number of requests. */
  readonly measured: (service: Process, prepared: A) => Effect.Effect<number, never, R>
}

/** Prints where the service's processor time goes, for each request. Returns no rows: a sampled process is slower. */
export const render = <A, R>(
  name: string,
  { measured, prepared }: Work<A, R>,
  settings: Readonly<Record<string, string>> = {}
): Effect.Effect<ReadonlyArray<never>, never, Exclude<R, Scope> | ServiceUnderTest> =>
  Effect.gen(function*() {
    const { start } = yield* ServiceUnderTest
    const folder = Path.join(root, ".cache", "profile", name)
    Fs.rmSync(folder, { recursive: true, force: true })
    Fs.mkdirSync(folder, { recursive: true })
    const options = ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${Profile.interval}`]
    const found = yield* Effect.scoped(Effect.gen(function*() {
      const service = yield* start("start", settings, options)
      const ready = yield* prepared(service)
      const from = now()
      const { cpu: [cpu = 0], result: count } = yield* ProcessUsage.during([service.pid], measured(service, ready))
      const until = now()
      yield* service.signal("SIGTERM")
      yield* service.ended
      return { count, cpu, from, until }
    }))
    const profiles = Fs.readdirSync(folder).map((file) =>
      Profile.within(
        JSON.parse(Fs.readFileSync(Path.join(folder, file), "utf8")) as Profiler.Profile,
        found.from,
        found.until
      )
    )
    yield* say(`\n${Profile.text(profiles, found.cpu * 1000, found.count)}\n\n${folder}\n`)
    return []
  })
