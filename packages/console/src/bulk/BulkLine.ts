/** One thing that a bulk action changes or leaves as it is. */
export interface BulkLine {
  readonly key: string
  readonly name: string
  /** Says what happens to it, or why nothing does. */
  readonly effect: string
  /**
   * Sends the request and returns the service's message; undefined for a line that is left as it is. `requestKey` is the
   * idempotency key, where the endpoint takes one.
   */
  readonly send: ((requestKey: string) => Promise<string>) | undefined
}

/** A bulk action as its review shows it. */
export interface BulkAction {
  readonly title: string
  /** The label of the button that starts it. */
  readonly action: string
  /** The sentences that hold for all lines. */
  readonly note: string
  readonly lines: ReadonlyArray<BulkLine>
  /** How many requests are sent at once: one where the manager's wallet signs each. */
  readonly atOnce: number
  /** The text to type before it starts, for what cannot be undone. */
  readonly confirm?: string
}
