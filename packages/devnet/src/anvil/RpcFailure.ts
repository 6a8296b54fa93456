/** Failures of calls to a node. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decodeErrorResult, type Hex, isHex } from "viem"

/** The node did not answer, or not with JSON-RPC. */
export class RpcUnreachable extends Schema.TaggedError<RpcUnreachable>()("RpcUnreachable", {
  url: Schema.String,
  method: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.method} got no answer from ${this.url}: ${this.reason}`
  }
}

/** The node answered with an error; `revert` is the contract's reason when there is one. */
export class RpcRefused extends Schema.TaggedError<RpcRefused>()("RpcRefused", {
  method: Schema.String,
  code: Schema.Int,
  reason: Schema.String,
  revert: Schema.optional(Schema.String)
}) {
  override get message() {
    return `${this.method} was refused: ${this.revert ?? this.reason} (${this.code})`
  }
}

/** A transaction was mined and reverted. */
export class TransactionReverted extends Schema.TaggedError<TransactionReverted>()("TransactionReverted", {
  hash: Schema.String,
  revert: Schema.optional(Schema.String)
}) {
  override get message() {
    return `Transaction ${this.hash} reverted: ${this.revert ?? "no reason given"}`
  }
}

export const RpcFailure = Schema.Union([RpcUnreachable, RpcRefused, TransactionReverted])
export type RpcFailure = typeof RpcFailure.Type

// viem throws when the selector is neither Error(string) nor Panic(uint256): then it is a custom error.
const decodeStandard = Option.liftThrowable((data: Hex) => decodeErrorResult({ abi: [], data }))

/** Returns the text of a `revert`, or the raw data of a custom error; `undefined` when there is no data. */
export const revertReason = (data: unknown): string | undefined => {
  if (!isHex(data) || data === "0x") return undefined
  return Option.match(decodeStandard(data), {
    onNone: () => data,
    onSome: ({ args, errorName }) => errorName === "Error" ? String(args[0]) : `${errorName}(${args.join(", ")})`
  })
}
