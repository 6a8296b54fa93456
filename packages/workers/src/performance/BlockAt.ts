/** Finds the last block at or before a time. Each search for a time finds the same block. */
import type { ChainClient } from "../chain/ChainClient.ts"
import { type RpcFailure, RpcRefused } from "../chain/RpcFailure.ts"
import * as Effect from "effect/Effect"

/** A block and its time, unix seconds. */
export interface TimedBlock {
  readonly number: bigint
  readonly time: number
}

/** Maximum number of reads of one search; halving alone needs fewer. */
const maxReads = 100

const missing = (block: bigint) => new RpcRefused({ code: 0, reason: `the node has no block ${block}` })

/** Returns a guess between two blocks: by their times, or halfway on every other turn, so that it always ends. */
const between = (low: TimedBlock, high: TimedBlock, time: number, turn: number): bigint => {
  const distance = high.number - low.number
  const share = turn % 2 === 1 || high.time <= low.time ? 0.5 : (time - low.time) / (high.time - low.time)
  const guess = low.number + BigInt(Math.round(Number(distance) * share))
  return guess <= low.number ? low.number + 1n : guess >= high.number ? high.number - 1n : guess
}

/**
 * Makes the search on a chain. Returns `undefined` for a time before the first block. `newest` is a block of a later
 * time.
 */
export const make = (chain: Pick<ChainClient, "blockTime">) => {
  /** Seconds from block to block, as last seen. */
  let pace = 2

  const timed = (number: bigint): Effect.Effect<TimedBlock, RpcFailure> =>
    Effect.flatMap(
      chain.blockTime(number),
      (time) => time === null ? missing(number) : Effect.succeed({ number, time })
    )

  /** Finds a block at or before the time, going back from the newest in growing strides. */
  const below = (newest: TimedBlock, time: number) =>
    Effect.gen(function*() {
      let high = newest
      for (let turn = 0; turn < maxReads && high.number > 0n; turn++) {
        const stride = BigInt(Math.ceil((high.time - time) / pace * (1 + turn)) + 1)
        const found = yield* timed(stride > high.number ? 0n : high.number - stride)
        if (found.time <= time) return { low: found, high }
        high = found
      }
      return undefined
    })

  return (time: number, newest: TimedBlock): Effect.Effect<TimedBlock | undefined, RpcFailure> =>
    Effect.gen(function*() {
      if (newest.time <= time) return newest
      const bounds = yield* below(newest, time)
      if (bounds === undefined) return undefined
      let { high, low } = bounds
      for (let turn = 0; high.number - low.number > 1n; turn++) {
        if (turn >= maxReads) return yield* missing(low.number)
        const found = yield* timed(between(low, high, time, turn))
        if (found.time <= time) low = found
        else high = found
      }
      if (newest.number > low.number) {
        pace = Math.max(0.05, (newest.time - low.time) / Number(newest.number - low.number))
      }
      return low
    })
}
