/** A call handed to a gas wallet, and what became of it. One submission owns one nonce for life. */
import * as Schema from "effect/Schema"
import { Address, Hash, Hex } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { ExecutionFailure } from "../failure/Failure.ts"

/** One log entry of a receipt. */
export const Log = Schema.Struct({ address: Address, topics: Schema.Array(Hash), data: Hex }).annotate({ identifier: "Log" })
export type Log = typeof Log.Type

/** The chain's answer to a transaction; numbers in smallest units. */
export const Receipt = Schema.Struct({
  transactionHash: Hash,
  blockHash: Hash,
  blockNumber: Schema.BigIntFromString,
  succeeded: Schema.Boolean,
  gasUsed: Schema.BigIntFromString,
  effectiveGasPrice: Schema.BigIntFromString,
  logs: Schema.Array(Log)
}).annotate({ identifier: "Receipt" })
export type Receipt = typeof Receipt.Type

/**
 * `queued`: stored, no nonce yet. `signed`: owns a nonce, bytes committed, may be anywhere on its way.
 * `mined`: receipt seen, a reorg may still take it back. `final`: deeper than any reorg. `refused`: never signed, final. `superseded`: its nonce was used by a transaction that is not ours, final.
 */
export const SubmissionStatus = Schema.Literals(["queued", "signed", "mined", "final", "refused", "superseded"])
export type SubmissionStatus = typeof SubmissionStatus.Type

/** Gas units a simulated call takes, and when a node said so, unix milliseconds. */
export const Estimate = Schema.Struct({ gas: Schema.BigIntFromString, at: Schema.Number })
export type Estimate = typeof Estimate.Type

export const Submission = Schema.Struct({
  /** `intent/step`, `settlement/id`, `id/topup`, or `filler/network/wallet/nonce`. */
  key: Schema.String,
  /** Null for a settlement, a top-up, and for a filler: an empty transaction that closes a gap somebody else's lost transaction left in the lane. */
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
  /** The fee cap is below what blocks take now: re-priced at every block, mined when fees fall. */
  waitingForGas: Schema.Boolean,
  nonce: Schema.NullOr(Schema.BigIntFromString),
  receipt: Schema.NullOr(Receipt),
  failure: Schema.NullOr(ExecutionFailure),
  /** What the planner's simulation said of the call. */
  estimate: Schema.NullOr(Estimate)
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
  maxPriorityFeePerGas: Schema.BigIntFromString
}).annotate({ identifier: "Attempt" })
export type Attempt = typeof Attempt.Type

/** Mined, whether it succeeded or reverted. */
export const Mined = Schema.TaggedStruct("Mined", { receipt: Receipt }).annotate({ identifier: "Mined" })
export type Mined = typeof Mined.Type
/** Never signed: nothing of it can ever be mined. */
export const Refused = Schema.TaggedStruct("Refused", { failure: ExecutionFailure }).annotate({ identifier: "Refused" })
export type Refused = typeof Refused.Type
/** A transaction of the same key that is not ours took the nonce; nothing of it can be mined, so it may be planned anew. */
export const Superseded = Schema.TaggedStruct("Superseded", { nonce: Schema.BigIntFromString }).annotate({ identifier: "Superseded" })
export type Superseded = typeof Superseded.Type

/** The end of a submission. */
export const Settled = Schema.Union([Mined, Refused, Superseded])
export type Settled = typeof Settled.Type

/** The end a row tells of, if it has come. */
export const settledOf = (submission: Submission): Settled | undefined => {
  if (submission.receipt !== null) return Mined.make({ receipt: submission.receipt })
  if (submission.failure !== null) return Refused.make({ failure: submission.failure })
  if (submission.status === "superseded" && submission.nonce !== null) return Superseded.make({ nonce: submission.nonce })
  return undefined
}

/** The key of a submission. */
export const keyOf = (intentId: string, step: number): string => `${intentId}/${step}`

const settlements = "settlement/"

/** The key of a settlement's submission. */
export const settlementKey = (id: string): string => `${settlements}${id}`

/** The settlement a submission's key names; none for any other. */
export const settlementOf = (key: string): string | undefined => key.startsWith(settlements) ? key.slice(settlements.length) : undefined

const topUps = "/topup"

/** The key of a top-up's submission. */
export const topUpKey = (id: string): string => `${id}${topUps}`

/** The top-up a submission's key names; none for any other. */
export const topUpOf = (key: string): string | undefined => key.endsWith(topUps) ? key.slice(0, -topUps.length) : undefined

/** The intent a submission's key names; none for a filler, a settlement and a top-up. */
export const intentOf = (key: string): string | undefined =>
  key.startsWith("filler/") || key.startsWith(settlements) || key.endsWith(topUps) ? undefined : key.split("/")[0]
