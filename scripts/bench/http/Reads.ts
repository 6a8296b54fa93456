/** Reads over HTTP: one token (a key lookup and a small body), and a list of 50 intents. */
import * as Effect from "effect/Effect"
import { type Bench, nameWith, type Options } from "../Bench.ts"
import { atMost, type Finding, shown, timesBaseline } from "../Row.ts"
import { type Process, ServiceUnderTest } from "../engine/ServiceUnderTest.ts"
import * as Callers from "./Callers.ts"
import * as Contest from "./Contest.ts"
import * as LoadGenerator from "./LoadGenerator.ts"
import * as Peer from "./Peer.ts"
import * as ReadGrowth from "./ReadGrowth.ts"
import { connections, listPath, symbolPath, token } from "./ReadRequests.ts"
import * as SameAnswer from "./SameAnswer.ts"
import * as ServiceProfile from "./ServiceProfile.ts"

type Kind = "read" | "list"

const pathOf = (kind: Kind, apiKey: string, contract: string) =>
  kind === "read" ? symbolPath(apiKey, contract) : listPath(apiKey)

/** A service and its peer that answer the same path with the same bytes. */
const contenders = (kind: Kind, options: Options) =>
  Effect.gen(function*() {
    const { env, start } = yield* ServiceUnderTest
    const usdc = yield* token
    const { apiKey } = yield* Callers.withFinishedTrades(options.oldRows)
    const service = yield* start("start")
    const peer = yield* Peer.start(yield* Peer.dataOf(env.DATA_DIR, [usdc]))
    const path = pathOf(kind, apiKey, usdc.address)
    yield* SameAnswer.check(service.baseUrl, peer.baseUrl, path)
    const contender = ({ baseUrl, pid }: Pick<Process, "baseUrl" | "pid">): Contest.Contender => ({
      pid,
      load: loadOf(baseUrl, path)
    })
    return { ours: contender(service), peer: contender(peer) }
  })

const loadOf = (baseUrl: string, path: string): Contest.Contender["load"] => ({
  origins: [baseUrl],
  requests: [{ method: "GET", path }],
  expects: `"status":["success"]`
})

const measure = (kind: Kind, options: Options) =>
  Effect.gen(function*() {
    const both = yield* contenders(kind, options)
    const generator = yield* LoadGenerator.start
    const found = yield* Contest.rounds(generator, both, { name: kind, connections, count: options.rounds ?? 5 })
    return findings(kind, options, found)
  })

/** Builds the rows of a kind of read. */
export const findings = (
  kind: Kind,
  options: Pick<Options, "oldRows">,
  found: Contest.Rounds
): ReadonlyArray<Finding> => {
  const row = (part: string, unit: string) => ({
    name: nameWith(options, `${kind}-${part}`),
    unit,
    peer: Peer.name
  })
  const p50 = Contest.medianOf(found.ours, (each) => each.p50)
  const what = kind === "read" ? "getSymbol" : "getIntents of 50 rows"
  const about = `${what} over ${connections} keep-alive connections${
    options.oldRows === 0 ? "" : `; ${shown(options.oldRows)} finished trades in the ledger`
  }`
  return [
    Contest.finding(
      { ...row("rps", "requests/s"), goal: timesBaseline(kind === "read" ? 1 : 0.8, Peer.name), note: about },
      found,
      ({ perSecond }) => perSecond
    ),
    Contest.finding(row("p50", "ms"), found, (each) => each.p50),
    Contest.finding(
      { ...row("p99", "ms"), goal: atMost(5 * p50, " ms"), note: "the goal is 5 × our p50 of this run" },
      found,
      ({ p99 }) => p99
    ),
    Contest.finding(
      { ...row("cpu", "µs"), note: "processor time of the serving process for each request" },
      found,
      ({ cpuMicros }) => cpuMicros
    )
  ]
}

/** Seconds of the profiled load. */
const profiledSeconds = 10

const profiled = (kind: Kind, options: Options) =>
  Effect.gen(function*() {
    const usdc = yield* token
    const { apiKey } = yield* Callers.withFinishedTrades(options.oldRows)
    const generator = yield* LoadGenerator.start
    const path = pathOf(kind, apiKey, usdc.address)
    return yield* ServiceProfile.render(`${kind}-rps`, {
      prepared: ({ baseUrl }) => generator.run({ ...loadOf(baseUrl, path), connections, seconds: 3 }),
      measured: ({ baseUrl }) =>
        Effect.map(
          generator.run({ ...loadOf(baseUrl, path), connections, seconds: profiledSeconds }),
          ({ count }) => count
        )
    })
  })

const run = (kind: Kind) => (options: Options) =>
  Effect.scoped(options.profile ? profiled(kind, options) : measure(kind, options)).pipe(
    Effect.provide(ServiceUnderTest.layer)
  )

const rowsOf = (kind: Kind) => ["rps", "p50", "p99", "cpu"].map((part) => `${kind}-${part}`)
const withOldRows = (kind: Kind) => rowsOf(kind).map((name) => `${name}/old-rows`)

export const reads: Bench = {
  rows: ["read-rps", ...rowsOf("read").slice(1), ...ReadGrowth.rows, ...withOldRows("read")],
  run: run("read"),
  grow: ReadGrowth.run,
  takesOldRows: true
}

export const lists: Bench = {
  rows: ["list-rps", ...rowsOf("list").slice(1), ...withOldRows("list")],
  run: run("list"),
  takesOldRows: true
}
