/** Time of a start on a data folder that exists, with the service's own PostgreSQL and with another one. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { spawnSync } from "node:child_process"
import { type Bench, type Options, say } from "../Bench.ts"
import { below, type Finding, median, shown } from "../Row.ts"
import { freePort, type Process, ServiceUnderTest, started } from "../engine/ServiceUnderTest.ts"
import * as Peer from "../http/Peer.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"

const secondsSince = (began: number) => (performance.now() - began) / 1000

/** Returns the seconds of the process `node -e ''`. */
export const bareNode = Effect.sync(() => {
  const began = performance.now()
  spawnSync(process.execPath, ["-e", ""], { stdio: "ignore" })
  return secondsSince(began)
})

/** Starts a process, returns the seconds until it was ready, and ends it as an operator does. */
const timed = (start: Effect.Effect<Process, never, Scope>): Effect.Effect<number> =>
  Effect.scoped(Effect.gen(function*() {
    const began = performance.now()
    const { ended, signal } = yield* start
    const seconds = secondsSince(began)
    yield* signal("SIGTERM")
    yield* ended
    return seconds
  }))

const measure = ({ rounds = 5 }: Options) =>
  Effect.gen(function*() {
    const { env, start } = yield* ServiceUnderTest
    const own = yield* temporaryFolder
    const { DATABASE_URL: _, ...rest } = env
    const withOwn = Effect.flatMap(
      freePort,
      (port) => started("start", { ...rest, DATA_DIR: own, PORT: port, RUNNER_PORT: port })
    )
    const listening = Effect.scoped(Effect.suspend(() => {
      const began = performance.now()
      return Effect.map(Peer.start(Peer.bare), () => secondsSince(began))
    }))
    // The first start of each creates its data.
    yield* timed(withOwn)
    yield* timed(start("start"))
    const found = {
      own: [] as Array<number>,
      other: [] as Array<number>,
      peer: [] as Array<number>,
      node: [] as Array<number>
    }
    for (let turn = 1; turn <= rounds; turn++) {
      found.own.push(yield* timed(withOwn))
      found.other.push(yield* timed(start("start")))
      found.peer.push(yield* listening)
      found.node.push(yield* bareNode)
      yield* say(
        `  round ${turn}: ${shown(found.own.at(-1) ?? 0)} s, with a running PostgreSQL ${
          shown(found.other.at(-1) ?? 0)
        } s, peer ${shown(found.peer.at(-1) ?? 0)} s`
      )
    }
    const against = { what: "a bare Fastify that listens", rounds: found.peer }
    const findings: ReadonlyArray<Finding> = [
      {
        name: "start",
        unit: "s",
        rounds: found.own,
        against,
        goal: below(3, " s"),
        note: `npm start to ready, data and PostgreSQL of an earlier start; node -e '' takes ${
          shown(median(found.node))
        } s`
      },
      { name: "start/database", unit: "s", rounds: found.other, against, note: "with a PostgreSQL that runs already" }
    ]
    return findings
  })

export const warmStart: Bench = {
  rows: ["start", "start/database"],
  run: (options) => Effect.scoped(measure(options)).pipe(Effect.provide(ServiceUnderTest.layer))
}
