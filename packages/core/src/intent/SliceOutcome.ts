/** Reads from an intent's outcome what a slice of an order moved, and how an automatic request ended. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Hash } from "../chain/Address.ts"
import type { Outcome } from "./Intent.ts"

/** The end of a slice; quantities in smallest units. */
export interface SliceEnd {
  readonly state: "succeeded" | "failed"
  readonly sold: bigint
  readonly bought: bigint
  readonly txHash: Hash | null
  readonly message: string
  /** False when the cause is not the order's: the next try comes soon. */
  readonly counts: boolean
}

/** Failures that are not the order's. */
const uncounted: ReadonlySet<string> = new Set([
  "price_unavailable",
  "rpc_unavailable",
  "paused",
  "vault_paused",
  "busy",
  "nothing_to_do",
  "guardian_hold"
])

const Moved = Schema.Struct({
  sold: Schema.Struct({ raw: Schema.BigIntFromString }),
  bought: Schema.Struct({ raw: Schema.BigIntFromString })
})
const readMoved = Schema.decodeUnknownOption(Moved)

/** The end of an automatic request in words. */
interface EndText {
  readonly succeeded: boolean
  readonly txHash: Hash | null
  readonly message: string
  /** False when the cause is not the request's: the next try comes soon. */
  readonly counts: boolean
}

/** Words the outcome of a request that an order or a guardian has made. */
export const endTextOf = (outcome: Outcome): EndText => {
  if (outcome._tag !== "Failed") {
    return { succeeded: true, txHash: outcome.txHash, message: outcome.message, counts: true }
  }
  const { failure, txHash } = outcome
  const name = failure._tag === "ExecutionFailure" ? failure.errorType : failure.code
  return { succeeded: false, txHash, message: `${name}: ${failure.message}`, counts: !uncounted.has(name) }
}

/** Converts the outcome of a slice's intent. A success whose amounts cannot be read is a defect of this service. */
export const sliceEndOf = (outcome: Outcome): SliceEnd => {
  const { counts, message, succeeded, txHash } = endTextOf(outcome)
  if (!succeeded || outcome._tag === "Failed") return { state: "failed", sold: 0n, bought: 0n, txHash, message, counts }
  const { bought, sold } = Option.getOrThrowWith(
    readMoved(outcome.result),
    () => new Error("the outcome of an order's slice has no amounts")
  )
  return { state: "succeeded", sold: sold.raw, bought: bought.raw, txHash, message, counts }
}
