/** Reads the options of `npm run simulate`. */
import * as Effect from "effect/Effect"
import { parseArgs } from "node:util"
import { CannotStart } from "@vault-trader/app/StartupFailure"

export const usage =
  "Usage: npm run simulate -- [--exchange] [--seeds N] [--from S] [--jobs J] [--check] [--first] [--verbose] [--json]"

const flag = { type: "boolean", default: false } as const
const options = {
  ...{ exchange: flag, check: flag, first: flag, verbose: flag, json: flag, child: flag },
  seeds: { type: "string", default: "100" },
  from: { type: "string", default: "1" },
  jobs: { type: "string", default: "1" }
} as const

interface Arguments {
  /** Simulates bots at an exchange instead of vaults on a chain. */
  readonly exchange: boolean
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
    const { values } = yield* Effect.try({
      try: () => parseArgs({ args: [...words], options }),
      catch: (error) =>
        new CannotStart({ message: `${error instanceof Error ? error.message : String(error)}. ${usage}` })
    })
    const number = (name: "seeds" | "from" | "jobs") =>
      /^[1-9]\d{0,8}$/.test(values[name])
        ? Effect.succeed(Number(values[name]))
        : new CannotStart({ message: `--${name}: expected a whole number from 1, not '${values[name]}'. ${usage}` })
    return { ...values, seeds: yield* number("seeds"), from: yield* number("from"), jobs: yield* number("jobs") }
  })
