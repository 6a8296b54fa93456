/** The time that contracts go by. A runner's clock may be behind it, and a devnet's chain may be ahead of everybody's. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import { parseAbi } from "viem"
import type { ChainClient } from "./ChainClient.ts"
import * as Contract from "./Contract.ts"

const abi = parseAbi(["function getCurrentBlockTimestamp() view returns (uint256)"])

/** Reads the newest block's time, unix seconds, along with whatever else is read. */
export const read = ({ book }: ChainClient) => Contract.read(abi, book.multicall3, "getCurrentBlockTimestamp", [])

/** Seconds for which a decision is worth mining. */
export const lifetime = 120

/** When a decision stops being worth mining, unix seconds: by the chain's time where that is ahead of ours. */
export const deadline = (chainTime: Result.Result<bigint, unknown>): Effect.Effect<bigint> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const ours = BigInt(Math.floor(now / 1000))
    const theirs = chainTime._tag === "Success" ? chainTime.success : 0n
    return (theirs > ours ? theirs : ours) + BigInt(lifetime)
  })
