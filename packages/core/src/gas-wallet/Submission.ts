/** A call passed to a gas wallet, and its outcome. One submission owns one nonce permanently. */
import * as Schema from "effect/Schema"
import { Address, Hash, Hex } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { ExecutionFailure } from "../failure/Failure.ts"

/** One log entry of a receipt. */
export const Log = Schema.Struct({ address: Address, topics: Schema.Array(Hash), data: Hex }).annotate({
  identifier: "Log"
})
export type Log = typeof Log.Type

/** The chain's answer to a transaction; numbers in smallest units. */
export const Receipt = Schema.Struct({
  transactionHash: Hash,
  blockHash: Hash,
  blockNumber: Schema.BigIntFromString,
  succeeded: Schema.Boolean,
  gasUsed: Schema.BigIntFromString,
  effectiveGasPrice: Schema.BigIntFromString,
  /** The L1 data fee, which OP-stack networks charge beside the gas. */
  l1Fee: Schema.optional(Schema.BigIntFromString),
  logs: Schema.Array(Log)
}).annotate({ identifier: "Receipt" })
export type Receipt = typeof Receipt.Type

/**
 * `queued`: stored, no nonce yet. `signed`: owns a nonce, bytes committed, perhaps broadcast.
 * `mined`: receipt seen, a reorg can still remove it. `final`: deeper than any reorg. `refused`: never signed, final.
 * `superseded`: its nonce was used by a transaction that is not ours, final.
 */
export const SubmissionStatus = Schema.Literals(["queued", "signed", "mined", "final", "refused", "superseded"])
export type SubmissionStatus = typeof SubmissionStatus.Type

/** Gas units of a simulated call, and the time of the simulation in unix milliseconds. */
export const Estimate = Schema.Struct({ gas: Schema.BigIntFromString, at: Schema.Number })
export type Estimate = typeof Estimate.Type

/** Why a submission was cancelled: its lifetime was over, or a kill switch cancels what is signed. */
export const CancelReason = Schema.Literals(["expired", "stopped"])
export type CancelReason = typeof CancelReason.Type

export const Submission = Schema.Struct({
  /** `intent/step`, `settlement/id`, `id/topup`, or `filler/network/wallet/nonce`. */
  key: Schema.String,
  /**
   * Null for a settlement, a top-up, and a filler: an empty transaction that closes a nonce gap left by a lost foreign
   * transaction.
   */
  intentId: Schema.NullOr(Schema.String),
  network: Network,
  wallet: Address,
  to: Address,
  data: Hex,
  /** Native smallest units sent along. */
  value: Schema.BigIntFromString,
  /** Native smallest units the wallet must keep beyond gas: the action's charge. */
  reserve: Schema.BigIntFromString,
  status: SubmissionStatus,
  /** The fee cap is below current fees: re-priced at every block, mined when fees fall. */
  waitingForGas: Schema.Boolean,
  nonce: Schema.NullOr(Schema.BigIntFromString),
  receipt: Schema.NullOr(Receipt),
  /** Why the receipt is that of the cancellation: its lifetime was over, or a kill switch cancels; null for the call. */
  cancelled: Schema.NullOr(CancelReason),
  /** Unix milliseconds after which the call must not be mined; null without a lifetime. */
  validUntil: Schema.NullOr(Schema.Number),
  failure: Schema.NullOr(ExecutionFailure),
  /** The gas estimate of the planner's simulation. */
  estimate: Schema.NullOr(Estimate),
  /** The planner's MAC of the row; null for one that has none. */
  mac: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Submission" })
export type Submission = typeof Submission.Type

/** One signed transaction of a submission: the bytes that may be broadcast, and no others. */
export const Attempt = Schema.Struct({
  network: Network,
  wallet: Address,
  nonce: Schema.BigIntFromString,
  attempt: Schema.Int,
  submissionKey: Schema.String,
  hash: Hash,
  raw: Hex,
  gasLimit: Schema.BigIntFromString,
  maxFeePerGas: Schema.BigIntFromString,
  maxPriorityFeePerGas: Schema.BigIntFromString,
  /** True for an empty transaction of the wallet to itself that takes the nonce from the call. */
  cancels: Schema.Boolean
}).annotate({ identifier: "Attempt" })
export type Attempt = typeof Attempt.Type

/** Mined: it succeeded or reverted. `adopted`: its row was rebuilt from the signing record, with its plan. */
export const Mined = Schema.TaggedStruct("Mined", { receipt: Receipt, adopted: Schema.optional(Schema.Boolean) })
  .annotate({ identifier: "Mined" })
export type Mined = typeof Mined.Type
/** Its nonce was used by its own cancellation: the call can never be mined. */
export const Cancelled = Schema.TaggedStruct("Cancelled", { receipt: Receipt, reason: CancelReason }).annotate({
  identifier: "Cancelled"
})
export type Cancelled = typeof Cancelled.Type
/** Never signed: it can never be mined. */
export const Refused = Schema.TaggedStruct("Refused", { failure: ExecutionFailure }).annotate({ identifier: "Refused" })
export type Refused = typeof Refused.Type
/**
 * A foreign transaction of the same key used the nonce. The submission can never be mined, so its intent may be planned
 * again.
 */
export const Superseded = Schema.TaggedStruct("Superseded", { nonce: Schema.BigIntFromString }).annotate({
  identifier: "Superseded"
})
export type Superseded = typeof Superseded.Type

/** The outcome of a submission. */
export const Settled = Schema.Union([Mined, Cancelled, Refused, Superseded])
export type Settled = typeof Settled.Type

/** Returns a submission's outcome; undefined while it has none. */
export const settledOf = (submission: Submission): Settled | undefined => {
  const { cancelled, receipt } = submission
  if (receipt !== null) {
    return cancelled === null ? Mined.make({ receipt }) : Cancelled.make({ receipt, reason: cancelled })
  }
  if (submission.failure !== null) return Refused.make({ failure: submission.failure })
  if (submission.status === "superseded" && submission.nonce !== null) {
    return Superseded.make({ nonce: submission.nonce })
  }
  return undefined
}

/** Returns the key of an intent's submission. */
export const keyOf = (intentId: string, step: number): string => `${intentId}/${step}`

const settlements = "settlement/"

/** Returns the key of a settlement's submission. */
export const settlementKey = (id: string): string => `${settlements}${id}`

/** Returns the settlement that a submission's key names; undefined for any other key. */
export const settlementOf = (key: string): string | undefined =>
  key.startsWith(settlements) ? key.slice(settlements.length) : undefined

const topUps = "/topup"

/** Returns the key of a top-up's submission. */
export const topUpKey = (id: string): string => `${id}${topUps}`

/** Returns the top-up that a submission's key names; undefined for any other key. */
export const topUpOf = (key: string): string | undefined =>
  key.endsWith(topUps) ? key.slice(0, -topUps.length) : undefined

const fillers = "filler/"

/** Returns the key of the filler of a nonce. */
export const fillerKey = (network: Network, wallet: Address, nonce: bigint): string =>
  `${fillers}${network}/${wallet}/${nonce}`

/** Returns true for the key of a filler. */
export const isFiller = (key: string): boolean => key.startsWith(fillers)

/** Returns the intent that a submission's key names; undefined for a filler, a settlement or a top-up. */
export const intentOf = (key: string): string | undefined =>
  isFiller(key) || key.startsWith(settlements) || key.endsWith(topUps) ? undefined : key.split("/")[0]
