/** The wait for an outcome: its deadline, its pauses, and the reads of the intent. */
import { ConnectionError } from "./ConnectionError.ts"
import type { CallOptions, Endpoint, Fields } from "./Endpoint.ts"
import { wait } from "./Transport.ts"

/** Settings of a wait for an outcome. */
export interface OutcomeOptions {
  /** How long to wait in milliseconds; two minutes by default. */
  readonly timeoutMillis?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export const getIntent: Endpoint = { name: "getIntent", path: "/getIntent", kind: "read", key: "required" }

/** Milliseconds between two reads of an intent: the first, and the longest. */
const firstPause = 500
const longestPause = 5_000

/** The deadline of a wait, and its pauses. */
export class Waiting {
  readonly #until: number
  readonly #signal: AbortSignal | undefined
  #pause = firstPause

  constructor({ signal, timeoutMillis = 120_000 }: OutcomeOptions) {
    this.#until = Date.now() + timeoutMillis
    this.#signal = signal
  }

  /** Returns the options of the next call, which ends with the wait. */
  options(): CallOptions {
    return {
      signal: this.#signal,
      timeoutMillis: Math.min(30_000, Math.max(1_000, this.#until - Date.now())),
      retries: 0
    }
  }

  /** Waits a while; returns false when the time is over. */
  async next(): Promise<boolean> {
    const left = this.#until - Date.now()
    if (left <= 0 || this.#signal?.aborted === true) return false
    await wait(Math.min(left, this.#pause), this.#signal)
    this.#pause = Math.min(longestPause, this.#pause * 1.5)
    return true
  }

  /** Runs a read; returns undefined while the service cannot be reached. */
  async attempt(read: () => Promise<Fields>): Promise<Fields | undefined> {
    try {
      return await read()
    } catch (error) {
      if (error instanceof ConnectionError && error.reason !== "aborted") return undefined
      throw error
    }
  }
}
