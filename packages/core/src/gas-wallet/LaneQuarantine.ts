/**
 * The quarantine of a lane: one wallet on one network signs nothing, because what the chain shows of it cannot be
 * explained by the ledger. It ends by itself when it is explained, or when an operator releases it.
 */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"

/**
 * `unexplained_nonce`: a nonce of a signed transaction is used, and no endpoint shows by which transaction.
 * `rows_behind_chain`: the wallet has transactions that the ledger does not know and that look like this service's own,
 * as after the restore of an older database. `unknown_transaction`: such a transaction used the nonce of one that the
 * ledger knows. `record_conflict`: the signing record holds transactions of the lane that
 * the ledger contradicts.
 */
export const LaneQuarantineKind = Schema.Literals([
  "unexplained_nonce",
  "rows_behind_chain",
  "unknown_transaction",
  "record_conflict"
])
export type LaneQuarantineKind = typeof LaneQuarantineKind.Type

/** A transaction of the wallet that no row of the ledger explains. */
export const UnexplainedTransaction = Schema.Struct({
  nonce: Schema.String,
  hash: Schema.NullOr(Schema.String),
  /** The submission that the signing record names, or the reason why nothing is known. */
  note: Schema.String
}).annotate({ identifier: "UnexplainedTransaction" })
export type UnexplainedTransaction = typeof UnexplainedTransaction.Type

export const LaneQuarantine = Schema.Struct({
  network: Network,
  wallet: Address,
  kind: LaneQuarantineKind,
  /** One sentence for people. */
  reason: Schema.String,
  evidence: Schema.Struct({
    /** The nonce up to which a release declares everything explained; null when it declares nothing. */
    count: Schema.NullOr(Schema.String),
    transactions: Schema.Array(UnexplainedTransaction)
  }),
  createdAt: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "LaneQuarantine" })
export type LaneQuarantine = typeof LaneQuarantine.Type

export type NewLaneQuarantine = Omit<LaneQuarantine, "createdAt">
