/** Finds the block that the samples of a slot are read at. */
import type { Hash } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import type { ChainClient } from "../chain/ChainClient.ts"
import { blockNumberReads } from "../chain/Multicall3.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import * as BlockAt from "./BlockAt.ts"

const noState = "The node no longer has the state of that time."
export const removed = "The block of the sample was removed by a reorganisation of the chain."

/** A block to read at, with its hash. */
interface ReadPlace extends BlockAt.TimedBlock {
  readonly hash: Hash
  readonly final: boolean
}

/** The block that a slot's samples are read at, or why there is none. */
export type SlotPlace = ReadPlace | { readonly reason: string }

/** Reads of the chain that the vaults of a round share. */
export const chainReads = (chain: ChainClient) => {
  const find = BlockAt.make(chain)

  const timed = (number: bigint) =>
    Effect.map(chain.blockTime(number), (time) => time === null ? undefined : { number, time })

  /** Checks whether a node has the state of a block; fails while no node answers. */
  const hasState = (block: bigint): Effect.Effect<boolean, RpcFailure> =>
    Effect.catchTag(
      Effect.as(chain.readAll(blockNumberReads(chain.book), block), true),
      "RpcRefused",
      () => Effect.succeed(false)
    )

  const place = (block: BlockAt.TimedBlock, final: boolean) =>
    Effect.map(chain.blockHash(block.number), (hash) => hash === null ? { reason: removed } : { ...block, hash, final })

  /** Finds what a slot's samples are read at. `isNewest`: the newest block may stand for it. */
  const placeOf = (slot: number, final: BlockAt.TimedBlock, isNewest: boolean): Effect.Effect<SlotPlace, RpcFailure> =>
    Effect.gen(function*() {
      const found = yield* find(slot, final)
      if (found === undefined) return { reason: "The chain did not exist yet." }
      if (yield* hasState(found.number)) return yield* place(found, true)
      if (!isNewest) return { reason: noState }
      const { number, time } = yield* chain.head
      return yield* place({ number, time }, false)
    })

  return { timed, placeOf }
}
