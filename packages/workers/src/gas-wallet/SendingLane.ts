/** A lane as the sending of its queued submissions uses it. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { KeyLimitCheck } from "./KeyLimitCheck.ts"
import type { LaneReconciler } from "./LaneReconciler.ts"
import type { Signer } from "./Signer.ts"
import type { SigningPolicy } from "./SigningPolicy.ts"
import type { SigningRecord } from "./SigningRecord.ts"
import type { SignerAway } from "./SigningStop.ts"
import type { TransactionTracker } from "./TransactionTracker.ts"
import type { WalletAlerts } from "./WalletAlerts.ts"

export interface Lane {
  readonly chain: ChainClient
  readonly network: Network
  readonly wallet: Address
  readonly store: SubmissionStore["Service"]
  readonly signer: Signer["Service"]
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
