/** Reads the options of `npm run simulate`. */
import * as Effect from "effect/Effect"
import * as ToolOptions from "@vault-trader/app/ToolOptions"
import type { CannotStart } from "@vault-trader/app/StartupFailure"

export const usage = "Usage: npm run simulate -- [--exchange] [--rare] [--seeds N] [--from S] [--jobs J] [--check] " +
  "[--first] [--verbose] [--json]"

const flag = { type: "boolean", default: false } as const
const options = {
  ...{ exchange: flag, rare: flag, check: flag, first: flag, verbose: flag, json: flag, child: flag },
  seeds: { type: "string", default: "100" },
  from: { type: "string", default: "1" },
  jobs: { type: "string", default: "1" }
} as const

interface Arguments {
  /** Simulates bots at an exchange instead of vaults on a chain. */
  readonly exchange: boolean
  /** Draws faults that are rare by themselves in most runs, so that they meet each other. */
  readonly rare: boolean
  /** Runs each seed twice and compares the traces. */
  readonly check: boolean
  /** Ends at the first run that violates an invariant. */
  readonly first: boolean
  readonly verbose: boolean
  readonly json: boolean
  /** This process is a child that runs the seeds its parent sends. */
  readonly child: boolean
  /** Number of runs, and the seed of the first. */
  readonly seeds: number
  readonly from: number
  /** Number of child processes that share the runs. */
  readonly jobs: number
}

export const read = (words: ReadonlyArray<string>): Effect.Effect<Arguments, CannotStart> =>
  Effect.gen(function*() {
    const values = yield* ToolOptions.parse(words, options, usage)
    const number = (name: "seeds" | "from" | "jobs") => ToolOptions.wholeNumber(name, values[name], usage)
    return { ...values, seeds: yield* number("seeds"), from: yield* number("from"), jobs: yield* number("jobs") }
  })
