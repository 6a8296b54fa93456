/** Requests to mint managers' fees, as stored in the ledger, and their maximum size. */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"

/** The maximum number of vaults per request and per transaction. */
export const maxBatch = 100

/** A request to mint the fee that a vault's manager has earned. */
export const MintManagerFeeRequest = Schema.TaggedStruct("MintManagerFee", {}).annotate({
  identifier: "MintManagerFee"
})
export type MintManagerFeeRequest = typeof MintManagerFeeRequest.Type

/**
 * A request to mint the fees of several vaults in one transaction. Without `allowFailure` all of them are minted or
 * none.
 */
export const MintManagerFeeBatchRequest = Schema.TaggedStruct("MintManagerFeeBatch", {
  pools: Schema.Array(Address),
  allowFailure: Schema.Boolean
}).annotate({ identifier: "MintManagerFeeBatch" })
export type MintManagerFeeBatchRequest = typeof MintManagerFeeBatchRequest.Type

/** A request to mint the fees of every vault that the manager has when the request is planned. */
export const MintAllFeesByManagerRequest = Schema.TaggedStruct("MintAllFeesByManager", {
  manager: Address,
  allowFailure: Schema.Boolean
}).annotate({ identifier: "MintAllFeesByManager" })
export type MintAllFeesByManagerRequest = typeof MintAllFeesByManagerRequest.Type

/** The result for one vault of a batch. Amounts are in vault tokens, human units. */
export const MintResult = Schema.Struct({
  pool: Address,
  /** The amount available to mint at planning time; null when an asset of the vault had no price. */
  availableManagerFee: Schema.NullOr(Schema.String),
  hasFee: Schema.NullOr(Schema.Boolean),
  /** True when the fee was minted in the simulation and is part of the transaction. */
  willSucceed: Schema.Boolean,
  /** The amounts minted to the manager and to the platform's treasury; null when nothing was minted. */
  managerFee: Schema.NullOr(Schema.String),
  daoFee: Schema.NullOr(Schema.String)
})

/** A vault that is not part of the transaction, and the reason. */
export const Skipped = Schema.Struct({ pool: Address, reason: Schema.String })
