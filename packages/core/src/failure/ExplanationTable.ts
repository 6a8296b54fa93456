/** The form of the tables that explain reasons. */
import type { ErrorType } from "./Failure.ts"
import type { Reason } from "./Reason.ts"

/** An error type, a sentence without its full stop, and the caller's next step, if there is one. */
export type Explained = readonly [errorType: ErrorType, sentence: string, nextStep?: string]

/** A line for each of these reasons. */
export type ExplanationTable<R extends Reason> = {
  readonly [Tag in R["_tag"]]: (reason: Extract<R, { readonly _tag: Tag }>) => Explained
}
