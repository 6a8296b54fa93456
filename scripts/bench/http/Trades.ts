/** Concurrent trades through the whole service over HTTP. */
import * as Effect from "effect/Effect"
import { type Bench, type Options, say } from "../Bench.ts"
import { atLeast, atMost, type Finding, median, shown } from "../Row.ts"
import { ServiceUnderTest, type Process, type Trader } from "../engine/ServiceUnderTest.ts"
import * as Vaults from "../engine/Vaults.ts"
import * as LoadGenerator from "./LoadGenerator.ts"
import type * as Peer from "./Peer.ts"
import * as ProcessUsage from "./ProcessUsage.ts"
import * as ServiceProfile from "./ServiceProfile.ts"
import * as TradingPeer from "./TradingPeer.ts"

/** Vaults, and trades that are sent at once. */
const sizes = [{ vaults: 1, trades: 40 }, { vaults: 10, trades: 200 }, { vaults: 100, trades: 200 }] as const
/** The size of the row without a suffix, which has the goal. */
const reported = sizes[1]
const wallets = 10
const runnerCounts = [1, 2, 4] as const

type Size = (typeof sizes)[number]
type Server = Pick<Peer.Peer, "baseUrl" | "pid">

/** A round of trades; processor time of one trade, of each process. */
export interface Round {
  readonly perSecond: number
  readonly p99: number
  readonly cpuMillis: ReadonlyArray<number>
}

const loadOf = (baseUrl: string, traders: ReadonlyArray<Trader>, count: number, mark: string) => ({
  origins: [baseUrl],
  requests: Array.from({ length: count }, (_, index) => {
    const { apiKey, pool } = traders[index % traders.length] ?? { apiKey: "", pool: "0x" as const }
    const query = TradingPeer.queryOf({ apiKey, pool }, { idempotency_key: `${mark}-${index}` })
    return { method: "GET" as const, path: TradingPeer.pathOf("/vaultTrade", query) }
  }),
  connections: count,
  total: count,
  expects: `"status":["success"]`
})

/** Sends all trades at once and waits for their outcomes. */
const burst = (
  generator: LoadGenerator.LoadGenerator,
  { baseUrl, pids }: { readonly baseUrl: string; readonly pids: ReadonlyArray<number> },
  traders: ReadonlyArray<Trader>,
  { trades, vaults }: Size,
  mark: string
) =>
  Effect.map(
    ProcessUsage.during(
      pids,
      generator.run(loadOf(baseUrl, traders.slice(0, vaults), trades, `${mark}-${vaults}`))
    ),
    ({ cpu, result }) => ({
      perSecond: result.perSecond,
      p99: result.p99,
      cpuMillis: cpu.map((millis) => millis / trades)
    } satisfies Round)
  )

const text = ({ cpuMillis, p99, perSecond }: Round) =>
  `${shown(perSecond)} trades/s, p99 ${shown(p99)} ms, CPU each, ms: ${cpuMillis.map(shown).join(" + ")}`

/** Fails unless the chain has exactly the trades that were requested. */
const proven = <A, E, R>(traders: ReadonlyArray<Trader>, trades: number, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const before = yield* Vaults.readChain(traders)
    const result = yield* work
    const after = yield* Vaults.readChain(traders)
    const [mined, sold] = [after.transactions - before.transactions, before.dollars - after.dollars]
    if (mined !== trades || Math.round(sold) !== trades) {
      return yield* Effect.die(new Error(`${trades} trades were requested, ${mined} mined, $${sold} sold`))
    }
    return result
  })

type BySize = ReadonlyMap<Size, ReadonlyArray<Round>>

/** Measures the sizes in turn, after a round of each that is not counted. */
const allSizes = (
  who: "ours" | "peer",
  generator: LoadGenerator.LoadGenerator,
  server: Server,
  traders: ReadonlyArray<Trader>,
  rounds: number
) =>
  Effect.gen(function*() {
    const found = new Map<Size, Array<Round>>(sizes.map((size) => [size, []]))
    for (let turn = 0; turn <= rounds; turn++) {
      for (const size of sizes) {
        const work = burst(generator, { baseUrl: server.baseUrl, pids: [server.pid] }, traders, size, `${who}-${turn}`)
        const round = yield* (who === "ours" ? proven(traders, size.trades, work) : work)
        yield* say(`  ${who}, ${size.trades} trades of ${size.vaults} vaults: ${text(round)}`)
        if (turn > 0) found.get(size)?.push(round)
      }
    }
    return found
  })

const measure = ({ rounds = 3 }: Options) =>
  Effect.gen(function*() {
    const { start } = yield* ServiceUnderTest
    const service = yield* start("start", TradingPeer.patient)
    const generator = yield* LoadGenerator.start
    yield* say("  creating vaults")
    const traders = yield* Vaults.traders(service.baseUrl, { vaults: sizes[2].vaults, wallets })
    const ours = yield* allSizes("ours", generator, service, traders, rounds)
    const peer = yield* TradingPeer.start(service.baseUrl, traders)
    return findings(ours, yield* allSizes("peer", generator, peer, traders, rounds))
  })

/** Builds the rows: trades per second by vaults, and our processor time for each. */
const findings = (ours: BySize, peer: BySize): ReadonlyArray<Finding> => {
  const of = (found: BySize, size: Size, number: (round: Round) => number) => (found.get(size) ?? []).map(number)
  const cpu = ({ cpuMillis }: Round) => cpuMillis.reduce((sum, each) => sum + each, 0)
  const against = (size: Size, number: (round: Round) => number) => ({
    what: TradingPeer.name,
    rounds: of(peer, size, number)
  })
  return [
    ...[reported, sizes[0], sizes[2]].map((size): Finding => ({
      name: size === reported ? "trade-http" : `trade-http/${size.vaults}`,
      unit: "trades/s",
      rounds: of(ours, size, ({ perSecond }) => perSecond),
      against: against(size, ({ perSecond }) => perSecond),
      ...(size === reported ? { goal: atLeast(60, "/s") } : {}),
      note:
        `${size.trades} at once over ${size.vaults} ${size.vaults === 1 ? "vault" : "vaults"}, to the last outcome; ` +
        `p99 ${shown(median(of(ours, size, ({ p99 }) => p99)))} ms; ${
          shown(median(of(ours, size, cpu)))
        } ms of our CPU each`
    })),
    {
      name: "trade-http/cpu",
      unit: "ms",
      rounds: of(ours, reported, cpu),
      against: against(reported, cpu),
      goal: atMost(10, " ms"),
      note: `processor time of our process for each trade over ${reported.vaults} vaults; without PostgreSQL and node`
    }
  ]
}

const profiled = ({ rounds = 2 }: Options) =>
  Effect.gen(function*() {
    const generator = yield* LoadGenerator.start
    const round = ({ baseUrl, pid }: Process, traders: ReadonlyArray<Trader>, mark: string) =>
      burst(generator, { baseUrl, pids: [pid] }, traders, reported, mark)
    return yield* ServiceProfile.render("trade-http", {
      prepared: (service) =>
        Effect.tap(
          Vaults.traders(service.baseUrl, { vaults: reported.vaults, wallets }),
          (traders) => round(service, traders, "warm")
        ),
      measured: (service, traders) =>
        Effect.as(
          Effect.forEach(Array.from({ length: rounds }), (_, turn) => round(service, traders, `profiled-${turn}`)),
          rounds * reported.trades
        )
    }, TradingPeer.patient)
  })

/** Measures one server with one, two and four runners. */
const grown = ({ rounds = 3 }: Options) =>
  Effect.gen(function*() {
    const { start, startRunner } = yield* ServiceUnderTest
    const generator = yield* LoadGenerator.start
    const found = yield* Effect.forEach(runnerCounts, (count) =>
      Effect.scoped(Effect.gen(function*() {
        const runners = yield* Effect.forEach(Array.from({ length: count }), (_, machine) => startRunner(machine))
        const server = yield* start("server", TradingPeer.patient)
        const traders = yield* Vaults.traders(server.baseUrl, { vaults: reported.vaults, wallets })
        const processes = { baseUrl: server.baseUrl, pids: [server, ...runners].map(({ pid }) => pid) }
        const all = yield* Effect.forEach(Array.from({ length: rounds + 1 }), (_, turn) =>
          Effect.tap(
            proven(
              traders,
              reported.trades,
              burst(generator, processes, traders, reported, `runners-${count}-${turn}`)
            ),
            (round) => say(`  ${count} runners: ${text(round)}`)
          ))
        return { count, rounds: all.slice(1) }
      })))
    const [one, last] = [found[0], found.at(-1)]
    if (one === undefined || last === undefined) return []
    const rate = (rounds: ReadonlyArray<Round>) => rounds.map(({ perSecond }) => perSecond)
    const curve = found.map(({ count, rounds: all }) => {
      const [server = 0, ...runners] = (all[0]?.cpuMillis ?? []).map((_, index) =>
        median(all.map(({ cpuMillis }) => cpuMillis[index] ?? 0))
      )
      return `${count}: ${shown(median(rate(all)))}/s, CPU each, ms: server ${shown(server)}, runners ${
        runners.map(shown).join(" + ")
      }`
    })
    const finding: Finding = {
      name: "trade-http/runners",
      unit: "trades/s",
      rounds: rate(last.rounds),
      against: { what: "one runner", rounds: rate(one.rounds) },
      note: `${reported.trades} at once over ${reported.vaults} vaults, one server, ${last.count} runners; by runners ${
        curve.join("; ")
      }`
    }
    return [finding]
  })

export const trades: Bench = {
  rows: ["trade-http", "trade-http/1", "trade-http/100", "trade-http/cpu", "trade-http/runners"],
  run: (options) =>
    Effect.scoped(options.profile ? profiled(options) : measure(options)).pipe(Effect.provide(ServiceUnderTest.layer)),
  grow: (options) => Effect.scoped(grown(options)).pipe(Effect.provide(ServiceUnderTest.layer))
}
