/** Time as contracts see it. A runner's clock may be behind it, and a devnet's chain may be ahead of every clock. */
import { max } from "@vault-trader/core/chain/Quantity"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { ChainClient } from "./ChainClient.ts"
import * as Contract from "./Contract.ts"
import { multicall3Abi } from "./Multicall3.ts"

/** Builds a read of the newest block's time, unix seconds, to combine with other reads. */
export const read = ({ book }: ChainClient) =>
  Contract.read(multicall3Abi, book.multicall3, "getCurrentBlockTimestamp", [])

/**
 * Seconds without a new block after which a later reading of the same block is another one: a devnet mines only when
 * something is sent.
 */
const quietSeconds = 15

/** Returns the time of a reading's block, unix seconds; later ones are readings of later blocks. */
export const readAt = (chainTime: Result.Result<bigint, unknown> | undefined): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const block = chainTime?._tag === "Success" ? Number(chainTime.success) : 0
    return Math.max(block, Math.floor(now / 1_000) - quietSeconds)
  })

/** Seconds for which a decision may be mined. */
const lifetime = 120

/** Returns the deadline of a decision, unix seconds, from the later of the chain's time and ours. */
export const deadline = (chainTime: Result.Result<bigint, unknown>): Effect.Effect<bigint> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const ours = BigInt(Math.floor(now / 1000))
    const theirs = chainTime._tag === "Success" ? chainTime.success : 0n
    return max(theirs, ours) + BigInt(lifetime)
  })
