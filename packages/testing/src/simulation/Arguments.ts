/** What is asked of a simulation, read from the words of the command. */
import * as Effect from "effect/Effect"
import { parseArgs } from "node:util"
import { CannotStart } from "@vault-trader/app/StartupFailure"

export const usage = "Usage: npm run simulate -- [--exchange] [--seeds N] [--from S] [--jobs J] [--check] [--verbose] [--json]"

const flag = { type: "boolean", default: false } as const
const options = {
  ...{ exchange: flag, check: flag, verbose: flag, json: flag, child: flag },
  seeds: { type: "string", default: "100" },
  from: { type: "string", default: "1" },
  jobs: { type: "string", default: "1" }
} as const

export interface Arguments {
  /** Bots at an exchange, not vaults on a chain. */
  readonly exchange: boolean
  /** Lives each seed twice and compares. */
  readonly check: boolean
  readonly verbose: boolean
  readonly json: boolean
  /** One of the processes that another one gives its lives to. */
  readonly child: boolean
  /** How many lives, and the seed of the first. */
  readonly seeds: number
  readonly from: number
  /** Processes that live them side by side. */
  readonly jobs: number
}

export const read = (words: ReadonlyArray<string>): Effect.Effect<Arguments, CannotStart> =>
  Effect.gen(function*() {
    const { values } = yield* Effect.try({
      try: () => parseArgs({ args: [...words], options }),
      catch: (error) => new CannotStart({ message: `${error instanceof Error ? error.message : String(error)}. ${usage}` })
    })
    const number = (name: "seeds" | "from" | "jobs") =>
      /^[1-9]\d{0,8}$/.test(values[name])
        ? Effect.succeed(Number(values[name]))
        : new CannotStart({ message: `--${name}: expected a whole number from 1, not '${values[name]}'. ${usage}` })
    return { ...values, seeds: yield* number("seeds"), from: yield* number("from"), jobs: yield* number("jobs") }
  })
