/** Observes a simulated fleet for a while, with reads at a steady rate. */
import * as Effect from "effect/Effect"
import * as ProcessUsage from "../bench/http/ProcessUsage.ts"
import { symbolPath } from "../bench/http/ReadRequests.ts"
import type { Fleet } from "./SimulatedFleet.ts"
import { usdc } from "./FleetChain.ts"
import * as Usage from "./Usage.ts"

export interface Pace {
  /** Time before the observation, in which rows are first written and code is compiled. */
  readonly warmSeconds: number
  /** As long as PostgreSQL's time between two checkpoints, after which it writes whole pages again. */
  readonly seconds: number
  readonly readsPerSecond: number
}

/** A fleet's use during the observation. */
export interface Observed {
  readonly usage: Usage.Usage
  readonly reads: number
  /** Bytes of the whole database at the end. */
  readonly storedBytes: number
  /** Processor time of each runner, milliseconds. */
  readonly runnerMillis: ReadonlyArray<number>
  /** Resident memory of each process at the end, MB. */
  readonly runnerMegabytes: ReadonlyArray<number>
  readonly serverMegabytes: ReadonlyArray<number>
}

/** Reads that are sent together. */
const atOnce = 8

/** Reads at this rate, with the wallets' keys in turn. A response that is not a success is a defect. */
const reading = ({ apiKeys, nodes, servers }: Fleet, perSecond: number, counted: () => void) =>
  Effect.gen(function*() {
    const [server] = servers
    const network = nodes.books[0]?.network ?? "base"
    const one = (turn: number) =>
      Effect.promise(async (signal) => {
        // The benches' path names their own network.
        const path = symbolPath(apiKeys[turn % apiKeys.length] ?? "", usdc).replace(/network=\w+/, `network=${network}`)
        const body = await (await fetch(`${server?.baseUrl}${path}`, { signal })).text()
        if (!body.includes(`"status":["success"]`)) throw new Error(`a read was answered with ${body}`)
        counted()
      })
    for (let turn = 0;; turn += atOnce) {
      yield* Effect.forEach(Array.from({ length: atOnce }), (_, index) => one(turn + index), {
        concurrency: atOnce,
        discard: true
      })
      yield* Effect.sleep(1000 * atOnce / perSecond)
    }
  })

export const observe = (fleet: Fleet, { readsPerSecond, seconds, warmSeconds }: Pace) =>
  Effect.scoped(Effect.gen(function*() {
    let reads = 0
    if (readsPerSecond > 0) {
      yield* Effect.forkScoped(reading(fleet, readsPerSecond, () => {
        reads += 1
      }))
    }
    yield* Effect.sleep(`${warmSeconds} seconds`)
    const each = Effect.forEach(fleet.runners, ({ pid }) => ProcessUsage.cpuMillis(pid))
    const [before, readsBefore, runnersBefore] = [yield* Usage.read(fleet), reads, yield* each]
    yield* Effect.sleep(`${seconds} seconds`)
    const after = yield* Usage.read(fleet)
    const megabytes = (processes: Fleet["runners"]) =>
      Effect.forEach(processes, ({ pid }) => ProcessUsage.residentMegabytes(pid))
    const observed: Observed = {
      usage: Usage.between(before, after),
      reads: reads - readsBefore,
      storedBytes: after.databaseBytes,
      runnerMillis: (yield* each).map((millis, index) => millis - (runnersBefore[index] ?? 0)),
      runnerMegabytes: yield* megabytes(fleet.runners),
      serverMegabytes: yield* megabytes(fleet.servers)
    }
    return observed
  }))
