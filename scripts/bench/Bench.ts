/** A bench: the names of its rows, and the work that measures them. */
import * as Effect from "effect/Effect"
import type { Finding } from "./Row.ts"

export interface Options {
  /** Rounds per measurement; each bench has its own default. */
  readonly rounds: number | undefined
  /** Profiles our process instead of measuring. */
  readonly profile: boolean
  /** Finished trades in the ledger before the bench; 0 as a rule. */
  readonly oldRows: number
}

export interface Bench {
  /** Names of the rows; a row with parts is `row/part`. */
  readonly rows: readonly [string, ...Array<string>]
  /** Measures. Everything it starts has ended when it returns. A failure is a defect: there is no number then. */
  readonly run: (options: Options) => Effect.Effect<ReadonlyArray<Finding>>
  /** Measures in place of `run` how the rows grow, for `--grow`; a bench without it has nothing that grows. */
  readonly grow?: (options: Options) => Effect.Effect<ReadonlyArray<Finding>>
  /** True for a bench whose rows can be measured with `oldRows`, for `--old-rows`; they are then other rows. */
  readonly takesOldRows?: true
}

/** Names a row by the rows of the ledger that it was measured with. */
export const nameWith = ({ oldRows }: Pick<Options, "oldRows">, name: string): string =>
  oldRows === 0 ? name : `${name}/old-rows`

/** Prints progress: a bench takes minutes. */
export const say = (line: string): Effect.Effect<void> => Effect.sync(() => process.stderr.write(`${line}\n`))
