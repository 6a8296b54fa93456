/** Reads the options of `npm run simulate`, and those of `npm run seeds`. */
import * as Effect from "effect/Effect"
import { parseArgs, type ParseArgsOptionsConfig } from "node:util"
import { CannotStart } from "@vault-trader/app/StartupFailure"

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

const inWords = (message: string, usage: string) => new CannotStart({ message: `${message}. ${usage}` })

/** Parses options; a refusal ends with the usage. */
export const parse = <const T extends ParseArgsOptionsConfig>(
  words: ReadonlyArray<string>,
  options: T,
  usage: string
) =>
  Effect.try({
    try: () => parseArgs({ args: [...words], options }).values,
    catch: (error) => inWords(error instanceof Error ? error.message : String(error), usage)
  })

/** Reads an option's value as a whole number from 1. */
export const wholeNumber = (name: string, value: string, usage: string): Effect.Effect<number, CannotStart> =>
  /^[1-9]\d{0,8}$/.test(value)
    ? Effect.succeed(Number(value))
    : Effect.fail(inWords(`--${name}: expected a whole number from 1, not '${value}'`, usage))

export const read = (words: ReadonlyArray<string>): Effect.Effect<Arguments, CannotStart> =>
  Effect.gen(function*() {
    const values = yield* parse(words, options, usage)
    const number = (name: "seeds" | "from" | "jobs") => wholeNumber(name, values[name], usage)
    return { ...values, seeds: yield* number("seeds"), from: yield* number("from"), jobs: yield* number("jobs") }
  })
