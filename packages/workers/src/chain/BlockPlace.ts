/** Reads whether a block that was final is still in its place. No endpoint of several decides that alone. */
import type { Hash } from "@vault-trader/core/chain/Address"
import type { BlockPoint } from "@vault-trader/core/gas-wallet/FinalCheckpointStore"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { ChainClient } from "./ChainClient.ts"

/** `absent`: no endpoint that answers has a block at that height. `unknown`: they do not agree, or too few answer. */
export type BlockPlace = "in place" | "moved" | "absent" | "unknown"

/**
 * Reads the hash that most endpoints have at a height, at least two of several; null where none of those that answer has
 * such a block, undefined where they do not agree or none answers.
 */
export const hashAt = (chain: ChainClient, height: bigint): Effect.Effect<Hash | null | undefined> =>
  Effect.map(chain.blocksEverywhere(height), (answers) => {
    if (answers.length > 0 && answers.every((each) => each === null)) return null
    const votes = Object.values(Arr.groupBy(answers.filter((each) => each !== null), (each) => each.hash))
    const [first, second] = votes.sort((one, other) => other.length - one.length)
    return first === undefined || first.length < chain.quorum || first.length === second?.length
      ? undefined
      : first[0].hash
  })

/** Reads whether a block is in its place, by the hash that most endpoints have there. */
export const read = (chain: ChainClient, { hash, number }: BlockPoint): Effect.Effect<BlockPlace> =>
  Effect.map(hashAt(chain, number), (now) => {
    if (now === undefined) return "unknown"
    if (now === null) return "absent"
    return now === hash ? "in place" : "moved"
  })
