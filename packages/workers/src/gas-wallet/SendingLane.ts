/** A lane as the sending of its queued submissions uses it. */
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { KeyLimitCheck } from "./KeyLimitCheck.ts"
import type { LaneReconciler } from "./LaneReconciler.ts"
import type * as Replacement from "./Replacement.ts"
import type { SigningPolicy } from "./SigningPolicy.ts"
import type { SigningRecord } from "./SigningRecord.ts"
import type { SignerAway } from "./SigningStop.ts"
import type { TransactionTracker } from "./TransactionTracker.ts"
import type { WalletAlerts } from "./WalletAlerts.ts"

export interface Lane extends Replacement.Lane {
  readonly limits: KeyLimitCheck["Service"]
  readonly policy: SigningPolicy["Service"]
  readonly alerts: WalletAlerts["Service"]
  readonly tracker: TransactionTracker
  readonly record: SigningRecord["Service"]
  readonly reconciler: LaneReconciler
  readonly refused: (key: string, failure: ExecutionFailure) => Effect.Effect<void>
}

/** A lane that can be paused. */
export interface PausableLane extends Lane {
  /** Sends nothing for this long. */
  readonly pause: (millis: number) => Effect.Effect<void>
}

/** A lane, and whether everything of it is explained, which is read once for a batch. */
export interface Checked extends PausableLane {
  readonly isExplained: Effect.Effect<boolean, SignerAway | SqlError>
}

export const check = (lane: PausableLane): Effect.Effect<Checked> =>
  Effect.map(Effect.cached(lane.reconciler.isExplained), (isExplained) => ({ ...lane, isExplained }))
