/** Reads the events that vaults emit for the calls that they execute. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { toEventSelector } from "viem"
import type { ChainClient, PlacedLog } from "../chain/ChainClient.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"

/** Emitted by a vault for each call that its manager or trader makes it execute. No parameter is indexed. */
export const transactionExecuted = toEventSelector("TransactionExecuted(address,address,uint16,uint256)")

/** Number of blocks per query: accepted by most nodes, and reduced when one refuses. */
const defaultRange = 2_000n
const minRange = 16n

/** A range of blocks up to `to`, and the executions of all vaults in it. */
export interface ExecutionSpan {
  readonly to: bigint
  readonly logs: ReadonlyArray<PlacedLog>
}

/** Reads the executions from a block on; takes fewer blocks while the node refuses the range. */
export const readSpan = (chain: ChainClient, from: bigint, last: bigint): Effect.Effect<ExecutionSpan, RpcFailure> =>
  Effect.gen(function*() {
    for (let range = defaultRange;; range /= 4n) {
      const to = from + range - 1n < last ? from + range - 1n : last
      const found = yield* Effect.result(chain.logs({ from, to, topics: [transactionExecuted] }))
      if (Result.isSuccess(found)) return { to, logs: found.success }
      if (range <= minRange || found.failure._tag === "RpcUnavailable") return yield* found.failure
    }
  })
