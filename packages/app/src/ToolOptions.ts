/** Reads the options of the tools that `npm run` starts: those of a simulation, of its seeds, of the capacity model. */
import * as Effect from "effect/Effect"
import { parseArgs, type ParseArgsOptionsConfig } from "node:util"
import { CannotStart } from "./StartupFailure.ts"

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
