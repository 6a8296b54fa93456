/** Reads from an intent's outcome what a slice of an order moved. */
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
  "nothing_to_do"
])

const Moved = Schema.Struct({
  sold: Schema.Struct({ raw: Schema.BigIntFromString }),
  bought: Schema.Struct({ raw: Schema.BigIntFromString })
})
const readMoved = Schema.decodeUnknownOption(Moved)

/** Converts the outcome of a slice's intent. A success whose amounts cannot be read is a defect of this service. */
export const sliceEndOf = (outcome: Outcome): SliceEnd => {
  if (outcome._tag === "Failed") {
    const { failure, txHash } = outcome
    const name = failure._tag === "ExecutionFailure" ? failure.errorType : failure.code
    return {
      ...{ state: "failed", sold: 0n, bought: 0n, txHash, message: `${name}: ${failure.message}` },
      counts: !uncounted.has(name)
    }
  }
  const { bought, sold } = Option.getOrThrowWith(
    readMoved(outcome.result),
    () => new Error("the outcome of an order's slice has no amounts")
  )
  return {
    ...{ state: "succeeded", sold: sold.raw, bought: bought.raw, txHash: outcome.txHash, message: outcome.message },
    counts: true
  }
}
