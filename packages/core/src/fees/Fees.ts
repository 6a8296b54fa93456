/** What minting managers' fees is: the requests kept in the ledger, and how many vaults one of them may be about. */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"

/** The most vaults a caller may list, and the most one transaction mints for. */
export const maximumBatch = 100

/** Mint what the vault's manager has earned. */
export const MintManagerFeeRequest = Schema.TaggedStruct("MintManagerFee", {}).annotate({ identifier: "MintManagerFee" })
export type MintManagerFeeRequest = typeof MintManagerFeeRequest.Type

/** The same for several vaults in one transaction. Without `allowFailure` it is all of them or none. */
export const MintManagerFeeBatchRequest = Schema.TaggedStruct("MintManagerFeeBatch", {
  pools: Schema.Array(Address),
  allowFailure: Schema.Boolean
}).annotate({ identifier: "MintManagerFeeBatch" })
export type MintManagerFeeBatchRequest = typeof MintManagerFeeBatchRequest.Type

/** The same for every vault that is this manager's when the request is planned. */
export const MintAllFeesByManagerRequest = Schema.TaggedStruct("MintAllFeesByManager", {
  manager: Address,
  allowFailure: Schema.Boolean
}).annotate({ identifier: "MintAllFeesByManager" })
export type MintAllFeesByManagerRequest = typeof MintAllFeesByManagerRequest.Type

/** One vault of a batch. Amounts are in vault tokens, human units. */
export const MintResult = Schema.Struct({
  pool: Address,
  /** What was there to mint when it was planned; null where an asset of the vault had no price. */
  availableManagerFee: Schema.NullOr(Schema.String),
  hasFee: Schema.NullOr(Schema.Boolean),
  /** The simulation minted it, and it is part of the transaction. */
  willSucceed: Schema.Boolean,
  /** What was minted to the manager and to the platform's treasury; null where nothing was. */
  managerFee: Schema.NullOr(Schema.String),
  daoFee: Schema.NullOr(Schema.String)
})

/** A vault that is not part of the transaction, and why. */
export const Skipped = Schema.Struct({ pool: Address, reason: Schema.String })
