/** Reads the options of `npm run capacity`. */
import { CannotStart } from "@vault-trader/app/StartupFailure"
import * as ToolOptions from "@vault-trader/app/ToolOptions"
import * as Effect from "effect/Effect"
import { type FleetSize, usual } from "./FleetSize.ts"
import type { Processes } from "./Model.ts"
import { type Surroundings, usualSurroundings } from "./Walls.ts"

export const usage = [
  "Usage: npm run capacity [-- --bots N [--networks N] [--wallets N] [--lanes N] [--vaults N]",
  "[--check-seconds S] [--gas-seconds S] [--sample-seconds S] [--trades N] [--alerts N] [--reads N]",
  "[--runners N --servers N] [--rpc-calls N] [--rpc-ms N] [--postgres-cores N] [--max-connections N] [--disk-gb N]",
  "| --check | --measure | --publish]"
].join(" ")

const number = { type: "string" } as const
const flag = { type: "boolean", default: false } as const
const options = {
  ...{ bots: number, networks: number, wallets: number, lanes: number, vaults: number },
  ...{ "check-seconds": number, "gas-seconds": number, "sample-seconds": number },
  ...{ trades: number, alerts: number, reads: number, runners: number, servers: number },
  ...{ "rpc-calls": number, "rpc-ms": number, "postgres-cores": number, "max-connections": number, "disk-gb": number },
  ...{ check: flag, measure: flag, publish: flag }
} as const

/** The work that the command is asked for. */
export type Request =
  | { readonly _tag: "sizes" | "check" | "measure" | "publish" }
  | {
    readonly _tag: "fleet"
    readonly fleet: FleetSize
    readonly processes: Processes | undefined
    readonly surroundings: Surroundings
  }

const refuse = (message: string) => Effect.fail(new CannotStart({ message: `${message}. ${usage}` }))

export const read = (words: ReadonlyArray<string>): Effect.Effect<Request, CannotStart> =>
  Effect.gen(function*() {
    const { check, measure, publish, ...texts } = yield* ToolOptions.parse(words, options, usage)
    const modes = (["check", "measure", "publish"] as const).filter((name) => ({ check, measure, publish })[name])
    const given = Object.keys(texts)
    const [mode, other] = modes
    if (mode !== undefined) {
      return other !== undefined || given.length > 0
        ? yield* refuse(`--${mode} goes with no other option, not with --${other ?? given[0]}`)
        : { _tag: mode }
    }
    if (given.length === 0) return { _tag: "sizes" }
    const { bots, runners, servers } = texts
    if (bots === undefined) return yield* refuse("--bots: the size of a fleet begins with its bots")
    if ((runners === undefined) !== (servers === undefined)) {
      return yield* refuse("--runners and --servers are given together")
    }
    /** Reads an option's number; without one, the default. */
    const numberOf = (name: Exclude<keyof typeof texts, undefined>, fallback: number) => {
      const text = texts[name]
      return text === undefined ? Effect.succeed(fallback) : ToolOptions.wholeNumber(name, text, usage)
    }
    const networks = yield* numberOf("networks", 10)
    const defaults = usual(yield* ToolOptions.wholeNumber("bots", bots, usage), networks)
    const wallets = yield* numberOf("wallets", defaults.wallets)
    const fleet: FleetSize = {
      ...{ bots: defaults.bots, networks, wallets },
      lanes: yield* numberOf("lanes", wallets),
      vaults: yield* numberOf("vaults", defaults.bots),
      checkSeconds: yield* numberOf("check-seconds", defaults.checkSeconds),
      gasSeconds: yield* numberOf("gas-seconds", defaults.gasSeconds),
      sampleSeconds: yield* numberOf("sample-seconds", defaults.sampleSeconds),
      firstSamplesPerSecond: defaults.firstSamplesPerSecond,
      tradesPerDay: yield* numberOf("trades", defaults.tradesPerDay),
      alertsPerDay: yield* numberOf("alerts", defaults.alertsPerDay),
      readsPerSecond: yield* numberOf("reads", defaults.readsPerSecond)
    }
    if (fleet.lanes > wallets * networks) {
      return yield* refuse(`--lanes: ${wallets} wallets act on at most ${wallets * networks} networks, summed`)
    }
    return {
      _tag: "fleet",
      fleet,
      processes: runners === undefined ? undefined : {
        runners: yield* numberOf("runners", 1),
        servers: yield* numberOf("servers", 1)
      },
      surroundings: {
        callsPerSecond: yield* numberOf("rpc-calls", usualSurroundings.callsPerSecond),
        callMillis: yield* numberOf("rpc-ms", usualSurroundings.callMillis),
        postgresCores: yield* numberOf("postgres-cores", usualSurroundings.postgresCores),
        maxConnections: yield* numberOf("max-connections", usualSurroundings.maxConnections),
        diskBytes: (yield* numberOf("disk-gb", usualSurroundings.diskBytes / 1e9)) * 1e9
      }
    }
  })
