/** Resident memory of the service: idle, and its maximum under reads. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type Bench, type Options, say } from "../Bench.ts"
import { below, type Finding, shown } from "../Row.ts"
import { ServiceUnderTest } from "../engine/ServiceUnderTest.ts"
import * as AllocationProfile from "../http/AllocationProfile.ts"
import * as Callers from "../http/Callers.ts"
import * as LoadGenerator from "../http/LoadGenerator.ts"
import * as Peer from "../http/Peer.ts"
import * as ProcessUsage from "../http/ProcessUsage.ts"
import { connections, symbolPath, token } from "../http/ReadRequests.ts"

/** How long a process is left alone before its idle memory is read, and how long it is read from. */
const [idle, seconds] = ["10 seconds", 10] as const

interface Sample {
  readonly idle: number
  readonly load: number
}

const sample = (
  { baseUrl, pid }: Pick<Peer.Peer, "baseUrl" | "pid">,
  generator: LoadGenerator.LoadGenerator,
  path: string
) =>
  Effect.gen(function*() {
    yield* Effect.sleep(idle)
    const resting = yield* ProcessUsage.residentMegabytes(pid)
    let most = resting
    const watch = yield* Effect.forkChild(
      Effect.forever(Effect.delay(
        Effect.map(ProcessUsage.residentMegabytes(pid), (now) => {
          most = Math.max(most, now)
        }),
        "100 millis"
      ))
    )
    yield* generator.run({
      origins: [baseUrl],
      requests: [{ method: "GET", path }],
      connections,
      seconds,
      expects: `"status":["success"]`
    })
    yield* Fiber.interrupt(watch)
    return { idle: resting, load: most } satisfies Sample
  })

const measure = ({ rounds = 2 }: Options) =>
  Effect.gen(function*() {
    const { env, start } = yield* ServiceUnderTest
    const usdc = yield* token
    const { apiKey } = yield* Callers.withFinishedTrades(0)
    const generator = yield* LoadGenerator.start
    const data = yield* Peer.dataOf(env.DATA_DIR, [usdc])
    const path = symbolPath(apiKey, usdc.address)
    const found: { readonly ours: Array<Sample>; readonly peer: Array<Sample> } = { ours: [], peer: [] }
    for (let turn = 1; turn <= rounds; turn++) {
      found.ours.push(yield* Effect.scoped(Effect.flatMap(start("start"), (each) => sample(each, generator, path))))
      found.peer.push(yield* Effect.scoped(Effect.flatMap(Peer.start(data), (each) => sample(each, generator, path))))
      yield* say(`  round ${turn}: ours ${text(found.ours.at(-1))}, peer ${text(found.peer.at(-1))}`)
    }
    const row = (name: string, of: keyof Sample) => ({
      name,
      unit: "MB",
      rounds: found.ours.map((each) => each[of]),
      against: { what: Peer.name, rounds: found.peer.map((each) => each[of]) }
    })
    const findings: ReadonlyArray<Finding> = [
      {
        ...row("rss", "idle"),
        goal: below(250, " MB"),
        note: `npm start without its PostgreSQL, idle for ${idle} after its start`
      },
      { ...row("rss/load", "load"), note: `maximum under getSymbol over ${connections} connections for ${seconds} s` }
    ]
    return findings
  })

const text = (found: Sample | undefined) => `${shown(found?.idle ?? 0)} MB idle, ${shown(found?.load ?? 0)} under load`

export const memory: Bench = {
  rows: ["rss", "rss/load"],
  run: (options) =>
    Effect.scoped(options.profile ? AllocationProfile.ofStart("rss", Effect.sleep(idle)) : measure(options)).pipe(
      Effect.provide(ServiceUnderTest.layer)
    )
}
