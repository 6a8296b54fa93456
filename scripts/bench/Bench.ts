/** What a bench is: rows it finds, and the work that finds them. */
import * as Effect from "effect/Effect"
import type { Finding } from "./Row.ts"

export interface Options {
  /** How often each thing is measured; each bench has its own number when absent. */
  readonly rounds: number | undefined
  /** Whether the bench records where our process spends its time. */
  readonly profile: boolean
}

export interface Bench {
  /** Its rows; a row with parts is `row/part`. */
  readonly rows: readonly [string, ...Array<string>]
  /** Whatever it starts has ended when it has. A failure is a defect: there is no number then. */
  readonly run: (options: Options) => Effect.Effect<ReadonlyArray<Finding>>
}

/** Says how far it is: a bench takes minutes. */
export const say = (line: string): Effect.Effect<void> => Effect.sync(() => process.stderr.write(`${line}\n`))
