/** A bench: the names of its rows, and the work that measures them. */
import * as Effect from "effect/Effect"
import type { Finding } from "./Row.ts"

export interface Options {
  /** Rounds per measurement; each bench has its own default. */
  readonly rounds: number | undefined
  /** Profiles our process instead of measuring. */
  readonly profile: boolean
}

export interface Bench {
  /** Names of the rows; a row with parts is `row/part`. */
  readonly rows: readonly [string, ...Array<string>]
  /** Measures. Everything it starts has ended when it returns. A failure is a defect: there is no number then. */
  readonly run: (options: Options) => Effect.Effect<ReadonlyArray<Finding>>
}

/** Prints progress: a bench takes minutes. */
export const say = (line: string): Effect.Effect<void> => Effect.sync(() => process.stderr.write(`${line}\n`))
