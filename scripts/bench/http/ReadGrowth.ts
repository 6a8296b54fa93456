/** How reads grow: with connections, with wallets, and with processes that serve them. */
import * as Effect from "effect/Effect"
import type { Options } from "../Bench.ts"
import { say } from "../Bench.ts"
import { type Finding, shown } from "../Row.ts"
import { ServiceUnderTest } from "../engine/ServiceUnderTest.ts"
import * as Callers from "./Callers.ts"
import * as Contest from "./Contest.ts"
import * as LoadGenerator from "./LoadGenerator.ts"
import * as Peer from "./Peer.ts"
import * as ProcessUsage from "./ProcessUsage.ts"
import { connections, symbolPath, token } from "./ReadRequests.ts"

export const rows = ["read-rps/connections", "read-rps/wallets", "read-rps/servers"]

const sizes = { connections: [1, 32, 100, 1_000], wallets: [1, 100, 10_000], servers: [1, 2, 4] } as const
const seconds = 5

/** A size, and the rounds of service and peer with it. */
interface Step {
  readonly size: number
  readonly rounds: Contest.Rounds
}

/** Builds a row: the number at the largest size, and the curve in its note. */
export const finding = (name: string, what: string, steps: ReadonlyArray<Step>): ReadonlyArray<Finding> => {
  const last = steps.at(-1)
  if (last === undefined) return []
  const curve = steps.map(({ rounds: { ours }, size }) =>
    `${shown(size)}: ${shown(Contest.medianOf(ours, ({ perSecond }) => perSecond))}/s, p99 ${
      shown(Contest.medianOf(ours, ({ p99 }) => p99))
    } ms, ${shown(Contest.medianOf(ours, ({ cpuMicros }) => cpuMicros))} µs of CPU each`
  )
  return [
    Contest.finding(
      {
        name,
        unit: "requests/s",
        peer: Peer.name,
        note: `getSymbol with ${shown(last.size)} ${what}; by ${what} ${curve.join("; ")}`
      },
      last.rounds,
      ({ perSecond }) => perSecond
    )
  ]
}

const measure = ({ rounds = 2 }: Options) =>
  Effect.gen(function*() {
    const { env, start } = yield* ServiceUnderTest
    const usdc = yield* token
    const { apiKey } = yield* Callers.withFinishedTrades(0)
    const generator = yield* LoadGenerator.start
    const data = yield* Peer.dataOf(env.DATA_DIR, [usdc])
    const loadOf = (origins: ReadonlyArray<string>, keys: ReadonlyArray<string>) => ({
      origins,
      requests: keys.map((key) => ({ method: "GET" as const, path: symbolPath(key, usdc.address) })),
      expects: `"status":["success"]`
    })

    /** Measures both over all their processes; the processor time is that of all of them. */
    const step = (
      what: string,
      size: number,
      { connections: count, keys, ours, peers }: {
        readonly ours: ReadonlyArray<Pick<Peer.Peer, "baseUrl" | "pid">>
        readonly peers: ReadonlyArray<Pick<Peer.Peer, "baseUrl" | "pid">>
        readonly keys: ReadonlyArray<string>
        readonly connections: number
      }
    ) =>
      Effect.gen(function*() {
        const found: { readonly ours: Array<Contest.Round>; readonly peer: Array<Contest.Round> } = {
          ours: [],
          peer: []
        }
        for (let turn = 0; turn <= rounds; turn++) {
          for (const [who, servers] of [["ours", ours], ["peer", peers]] as const) {
            const load = { ...loadOf(servers.map(({ baseUrl }) => baseUrl), keys), connections: count, seconds }
            const { cpu, result } = yield* ProcessUsage.during(servers.map(({ pid }) => pid), generator.run(load))
            const cpuMicros = cpu.reduce((sum, each) => sum + each, 0) * 1000 / result.count
            // The first round of each warms it.
            if (turn === 0) continue
            found[who].push({ ...result, cpuMicros })
            yield* say(
              `  ${shown(size)} ${what}: ${who} ${Contest.textOf({ ...result, cpuMicros })}; CPU by process, ms: ${
                cpu.map(shown).join(", ")
              }`
            )
          }
        }
        return { size, rounds: found } satisfies Step
      })

    const single = yield* Effect.scoped(Effect.gen(function*() {
      const ours = [yield* start("start")]
      const peers = [yield* Peer.start(data)]
      const byConnections = yield* Effect.forEach(sizes.connections, (size) =>
        step("connections", size, { ours, peers, keys: [apiKey], connections: size }))
      const keys = [apiKey, ...(yield* Callers.insertMany(Math.max(...sizes.wallets) - 1))]
      const byWallets = yield* Effect.forEach(sizes.wallets, (size) =>
        step("wallets", size, { ours, peers, keys: keys.slice(0, size), connections }))
      return { byConnections, byWallets }
    }))
    const byServers = yield* Effect.scoped(Effect.gen(function*() {
      yield* start("workers")
      return yield* Effect.forEach(sizes.servers, (size) =>
        Effect.scoped(Effect.gen(function*() {
          const ours = yield* Effect.forEach(Array.from({ length: size }), () =>
            start("server"))
          const peers = yield* Effect.forEach(Array.from({ length: size }), () =>
            Peer.start(data))
          return yield* step("servers", size, { ours, peers, keys: [apiKey], connections })
        })))
    }))
    return [
      ...finding("read-rps/connections", "connections", single.byConnections),
      ...finding("read-rps/wallets", "wallets", single.byWallets),
      ...finding("read-rps/servers", "servers", byServers)
    ]
  })

export const run = (options: Options): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.scoped(measure(options)).pipe(Effect.provide(ServiceUnderTest.layer))
