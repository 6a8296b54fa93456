/** How a JSON-RPC call fails: the node could not be asked, or it answered no. */
import * as Schema from "effect/Schema"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"

/** No endpoint gave an answer in time: nothing is known about what happened. */
export class RpcUnavailable extends Schema.TaggedError<RpcUnavailable>()("RpcUnavailable", {
  network: Schema.String,
  reason: Schema.String
}) {}

/** The node's own error: an execution that reverts carries its data. */
export class RpcRefused extends Schema.TaggedError<RpcRefused>()("RpcRefused", {
  code: Schema.Number,
  reason: Schema.String,
  data: Schema.optional(Schema.String)
}) {}

export type RpcFailure = RpcUnavailable | RpcRefused

/** What a caller is told when a read could not be made; nothing was sent. */
export const unavailable = (failure: RpcFailure): ExecutionFailure =>
  new ExecutionFailure({
    errorType: "rpc_unavailable",
    message: failure._tag === "RpcUnavailable"
      ? `The ${failure.network} network cannot be reached at the moment; nothing was sent. Try again.`
      : `The network's node refused a read (${failure.reason}); nothing was sent. Try again.`
  })

/** A transaction the node holds, or has mined, already: what we wanted. */
export const alreadyKnown = (failure: RpcRefused): boolean =>
  /already (known|imported|exists)|known transaction|transaction already/i.test(failure.reason)
