/** The service and its peer under the same load, in turn, so that other work on the machine affects both. */
import * as Effect from "effect/Effect"
import { say } from "../Bench.ts"
import { type Finding, type Goal, median, shown } from "../Row.ts"
import type { Load, LoadGenerator, Rate } from "./LoadGenerator.ts"
import * as ProcessUsage from "./ProcessUsage.ts"

/** A server under load, with its own form of the same request. */
export interface Contender {
  readonly pid: number
  readonly load: Omit<Load, "connections" | "seconds" | "total">
}

/** One round of a server; `cpuMicros` is the processor time of one request. */
export interface Round extends Rate {
  readonly cpuMicros: number
}

/** Seconds of a measured round, and of a round before them that fills caches and compiles. */
const [roundSeconds, warmSeconds] = [5, 3]

/** Runs one round of a server. */
export const round = (
  generator: LoadGenerator,
  { load, pid }: Contender,
  size: Pick<Load, "connections" | "seconds" | "total">
): Effect.Effect<Round> =>
  Effect.map(
    ProcessUsage.during([pid], generator.run({ ...load, ...size })),
    ({ cpu: [cpu = 0], result }) => ({ ...result, cpuMicros: cpu * 1000 / result.count })
  )

export interface Rounds {
  readonly ours: ReadonlyArray<Round>
  readonly peer: ReadonlyArray<Round>
}

/** Warms both servers, then measures each in turn as often as there are rounds. */
export const rounds = (
  generator: LoadGenerator,
  contenders: { readonly ours: Contender; readonly peer: Contender },
  { connections, count, name }: { readonly name: string; readonly connections: number; readonly count: number }
): Effect.Effect<Rounds> =>
  Effect.gen(function*() {
    const found: { readonly ours: Array<Round>; readonly peer: Array<Round> } = { ours: [], peer: [] }
    for (const who of ["ours", "peer"] as const) {
      yield* round(generator, contenders[who], { connections, seconds: warmSeconds })
    }
    for (let turn = 1; turn <= count; turn++) {
      for (const who of ["ours", "peer"] as const) {
        const result = yield* round(generator, contenders[who], { connections, seconds: roundSeconds })
        found[who].push(result)
        yield* say(`  ${name}, round ${turn}: ${who} ${textOf(result)}`)
      }
    }
    return found
  })

/** Formats a round. */
export const textOf = ({ cpuMicros, p50, p99, perSecond }: Round): string =>
  `${shown(perSecond)}/s, p50 ${shown(p50)} ms, p99 ${shown(p99)} ms, ${shown(cpuMicros)} µs of CPU each`

/** Builds a row from one number of each round, against the peer's. */
export const finding = (
  row: {
    readonly name: string
    readonly unit: string
    readonly peer: string
    readonly goal?: Goal
    readonly note?: string
  },
  { ours, peer }: Rounds,
  of: (round: Round) => number
): Finding => {
  const { peer: what, ...about } = row
  return { ...about, rounds: ours.map(of), against: { what, rounds: peer.map(of) } }
}

/** Returns the median of one number of the rounds. */
export const medianOf = (of: ReadonlyArray<Round>, number: (round: Round) => number): number => median(of.map(number))
