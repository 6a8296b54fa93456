/** Failures of a JSON-RPC call: the node did not answer, or it answered with an error. */
import * as Schema from "effect/Schema"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"

/** No endpoint answered in time: the effect of the call is unknown. */
export class RpcUnavailable extends Schema.TaggedError<RpcUnavailable>()("RpcUnavailable", {
  network: Schema.String,
  reason: Schema.String
}) {}

/** The node answered with an error; a reverted execution carries its data. */
export class RpcRefused extends Schema.TaggedError<RpcRefused>()("RpcRefused", {
  code: Schema.Number,
  reason: Schema.String,
  data: Schema.optional(Schema.String)
}) {}

export type RpcFailure = RpcUnavailable | RpcRefused

/** Returns the failure for a caller whose read failed; nothing was sent. */
export const unavailable = (failure: RpcFailure): ExecutionFailure =>
  explain(
    failure._tag === "RpcUnavailable"
      ? { _tag: "NetworkUnreachable", network: failure.network }
      : { _tag: "ReadRefused", detail: failure.reason }
  )

/** Returns true when the node already has, or has mined, the transaction, which is a success. */
export const alreadyKnown = (failure: RpcRefused): boolean =>
  /already (known|imported|exists)|known transaction|transaction already/i.test(failure.reason)

/** Returns true when the node holds another transaction under the nonce, which the refused one does not outbid. */
export const underpricedReplacement = (failure: RpcRefused): boolean =>
  /replacement transaction underpriced|could not replace existing|replacement ?not ?allowed/i.test(failure.reason)

/** Returns true when the node refuses because the account's balance does not cover the cost. */
export const insufficientFunds = (failure: RpcRefused): boolean => /insufficient funds/i.test(failure.reason)
