/** A request of several transactions: the step before the one that is planned, and the wait for it. */
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Data from "effect/Data"

/**
 * Nothing is planned yet, and nothing has failed: planning is repeated after `seconds`, and other intents are executed
 * meanwhile. `reason` is shown to the caller.
 */
export class Waiting extends Data.TaggedError("Waiting")<{ readonly reason: string; readonly seconds: number }> {}

/** The step before the one that is planned. */
export interface EarlierStep<D> {
  readonly details: D
  /** Its mined transaction, also one that reverted or cancelled it; null when nothing of it was mined. */
  readonly receipt: Receipt | null
}
