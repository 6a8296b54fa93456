/**
 * The protocol of a signer that is a process of its own. A runner asks it for reviews and signatures; no permit crosses
 * the socket: the signer keeps those of its own reviews, and a call is named by its submission's key.
 */
import { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import { Network } from "@vault-trader/core/chain/Network"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CannotSign } from "../gas-wallet/Signer.ts"
import { GasCapReached, SignerAway } from "../gas-wallet/SigningStop.ts"

const amount = Schema.BigIntFromString
const Fees = { maxFeePerGas: amount, maxPriorityFeePerGas: amount }
const Signed = Schema.Struct({ hash: Hash, raw: Hex, gasLimit: amount, ...Fees })

/** A transaction to sign, and the submission whose review permits it. */
export const RequestedTransaction = Schema.Struct({
  key: Schema.String,
  ...{ chainId: Schema.Int, from: Address, to: Address, data: Hex, value: amount },
  ...{ nonce: amount, gasLimit: amount, ...Fees }
})
export type RequestedTransaction = typeof RequestedTransaction.Type

const entryFields = {
  ...{ chainId: Schema.Int, wallet: Address, nonce: amount, hash: Hash, key: Schema.String },
  ...{ kind: Schema.Literals(["call", "cancel"]), to: Address, data: Hex, value: amount },
  plan: Schema.fromJsonString(Schema.Unknown),
  raw: Hex,
  // A process of an earlier version does not send it.
  validUntil: Schema.NullOr(Schema.Number).pipe(Schema.withDecodingDefaultType(Effect.succeed(null)))
}
/** A transaction of the signing record. */
const Entry = Schema.Struct(entryFields)
const RecordedEntry = Schema.Struct({ ...entryFields, recordedAt: Schema.Number })

/** `RecordConflict` of the signing record. */
export class EntryConflict extends Schema.TaggedError<EntryConflict>()("EntryConflict", {
  entry: Entry,
  recorded: Schema.NullOr(RecordedEntry),
  message: Schema.String
}) {}

/** `RecordUnwritable` of the signing record. */
export class EntriesUnwritable extends Schema.TaggedError<EntriesUnwritable>()("EntriesUnwritable", {
  message: Schema.String
}) {}

/** The signer has no unused permit for this call: it has not reviewed it, or was restarted since. */
export class NotReviewed extends Schema.TaggedError<NotReviewed>()("NotReviewed", { message: Schema.String }) {}

const SigningFailure = Schema.Union([CannotSign, GasCapReached, NotReviewed, SignerAway])
const PrivateKey = Schema.RedactedFromValue(Schema.String)
const lane = { chainId: Schema.Int, wallet: Address }

export const SignerRpc = RpcGroup.make(
  /** Returns whether the signing record can be written, and the signer's mark: that of its planner key. */
  Rpc.make("status", { success: Schema.Struct({ unwritable: Schema.NullOr(Schema.String), mark: Schema.String }) }),
  Rpc.make("review", {
    payload: { network: Network, wallet: Address, submissions: Schema.Array(Submission) },
    success: Schema.Struct({
      forged: Schema.Array(Schema.String),
      permitted: Schema.Array(Schema.String),
      refusals: Schema.Array(Schema.Struct({ key: Schema.String, failure: ExecutionFailure }))
    }),
    error: SignerAway
  }),
  /** Signs calls that this signer has reviewed; each review permits one signature. */
  Rpc.make("sign", {
    payload: { from: Address, transactions: Schema.Array(RequestedTransaction) },
    success: Schema.Array(Signed),
    error: SigningFailure
  }),
  Rpc.make("replace", {
    payload: { from: Address, raw: Hex, fees: Schema.Struct(Fees) },
    success: Signed,
    error: SigningFailure
  }),
  Rpc.make("fill", {
    payload: { from: Address, chainId: Schema.Int, nonce: amount, gasLimit: amount, ...Fees },
    success: Signed,
    error: SigningFailure
  }),
  Rpc.make("create", { success: Schema.Struct({ address: Address, privateKey: PrivateKey }), error: SignerAway }),
  /** Returns the wallet of the key; null where it is not a valid key. */
  Rpc.make("importKey", { payload: { privateKey: PrivateKey }, success: Schema.NullOr(Address), error: SignerAway }),
  Rpc.make("check", {
    payload: { entries: Schema.Array(Entry) },
    success: Schema.NullOr(EntryConflict),
    error: SignerAway
  }),
  Rpc.make("commit", {
    payload: { entries: Schema.Array(Entry) },
    error: Schema.Union([EntryConflict, EntriesUnwritable])
  }),
  Rpc.make("nextNonce", { payload: lane, success: Schema.NullOr(amount), error: SignerAway }),
  Rpc.make("find", { payload: { ...lane, nonce: amount }, success: Schema.Array(RecordedEntry), error: SignerAway }),
  Rpc.make("findKeys", {
    payload: { keys: Schema.Array(Schema.String) },
    success: Schema.Array(RecordedEntry),
    error: SignerAway
  })
)

/** Maximum size of one frame: a batch of a lane is far below it. */
export const maxFrameSize = 8 * 2 ** 20
