/** The messages between a sandbox and its thread. All of it is text: no object of one side reaches the other. */

/** A strategy, as JavaScript, and the limits of its thread. */
export interface SandboxData {
  readonly source: string
  /** Names it in errors. */
  readonly file: string
  /** Time for one answer. */
  readonly milliseconds: number
  readonly memoryBytes: number
  /** Candles of a strategy that does not say how many it needs. */
  readonly history: number
  readonly answerCharacters: number
}

/** A decision to make, as JSON of its state. */
export interface SandboxCall {
  readonly text: string
}

/** The first answer is the strategy's description, each further one a decision, both as JSON. */
export type SandboxAnswer =
  | { readonly code: "answered"; readonly text: string }
  | {
    readonly code: "invalid_module" | "threw" | "timeout" | "memory" | "invalid_decision"
    readonly message: string
  }
