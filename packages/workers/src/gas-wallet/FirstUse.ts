/**
 * Finds the transactions that an imported key had made before its import. They are not this service's own; later ones may
 * be, when a restore has forgotten them together with the signing record.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import type { ChainClient } from "../chain/ChainClient.ts"
import { type RpcFailure, RpcUnavailable } from "../chain/RpcFailure.ts"

/** By how much the clocks of the chain and of the database may differ, and how long a block takes. */
const marginSeconds = 15

/** Maximum number of block bodies that are read where a node has no state of old blocks. */
const maxBodies = 256n

interface Question {
  readonly wallet: Address
  /** Its transaction count at the newest block. */
  readonly count: bigint
  /** Unix milliseconds. */
  readonly importedAt: number
}

/**
 * Returns the wallet's transaction count at its import, as endpoints agree on it; undefined where no node has what shows
 * it. A count that one endpoint invents would hide what this service sends under the nonces below it.
 */
export const countAtImport = (
  chain: ChainClient,
  { count, importedAt, wallet }: Question
): Effect.Effect<bigint | undefined, RpcFailure> =>
  Effect.gen(function*() {
    if (count === 0n) return count
    const { number: head, time: headTime } = yield* chain.head
    const time = Math.floor(importedAt / 1_000) - marginSeconds
    const block = headTime < time ? head : yield* lastBefore(chain, head, time)
    if (block === undefined) return undefined
    if (block >= 0n && !(yield* isBefore(chain, block, time))) {
      return yield* unavailable(chain, `endpoints do not agree about the time of block ${block}`)
    }
    const then = block < 0n ? 0n : yield* agreedCount(chain, wallet, block)
    if (then !== undefined) return then
    if (head - block > maxBodies) return undefined
    const now = yield* agreedCount(chain, wallet, head)
    if (now === undefined) return yield* unavailable(chain, "endpoints do not agree about a wallet's count")
    let since = 0n
    for (let number = block + 1n; number <= head; number++) since += yield* sentIn(chain, wallet, number)
    return since < now ? now - since : 0n
  }).pipe(Effect.withSpan("FirstUse.countAtImport", undefined, { captureStackTrace: false }))

const unavailable = ({ book: { network } }: ChainClient, reason: string) => new RpcUnavailable({ network, reason })

/**
 * Returns whether a quorum of endpoints has a block with a time before this one: the block was found by the times that
 * one endpoint gave, and a later one would make this service's own transactions older than the import.
 */
const isBefore = (chain: ChainClient, block: bigint, time: number) =>
  Effect.map(
    chain.blocksEverywhere(block),
    (all) => all.filter((one) => one !== null && one.time < time).length >= chain.quorum
  )

/** Returns the wallet's count at a block that a quorum of endpoints has. */
const agreedCount = (chain: ChainClient, wallet: Address, block: bigint) =>
  Effect.map(
    chain.noncesEverywhere(wallet, block),
    (all) => all.find((one) => all.filter((other) => other === one).length >= chain.quorum)
  )

/** Counts the wallet's transactions in a block, which a quorum of endpoints must have. */
const sentIn = (chain: ChainClient, wallet: Address, number: bigint) =>
  Effect.gen(function*() {
    const bodies = (yield* chain.bodiesEverywhere(number)).filter((body) => body !== null)
    if (bodies.length < chain.quorum) {
      return yield* unavailable(chain, `too few endpoints have block ${number}`)
    }
    return BigInt(
      Math.max(...bodies.map(({ transactions }) => transactions.filter(({ from }) => from === wallet).length))
    )
  })

/** Finds the last block before a time; -1 where the first one is later, undefined where a block is missing. */
const lastBefore = (chain: ChainClient, head: bigint, time: number) =>
  Effect.gen(function*() {
    let [before, after] = [-1n, head]
    for (let distance = 1n; distance <= head; distance *= 4n) {
      const at = yield* chain.blockTime(head - distance)
      if (at === null) return undefined
      if (at < time) {
        before = head - distance
        break
      }
      after = head - distance
    }
    while (after - before > 1n) {
      const middle: bigint = (before + after) / 2n
      const at = yield* chain.blockTime(middle)
      if (at === null) return undefined
      if (at < time) before = middle
      else after = middle
    }
    return before
  })
