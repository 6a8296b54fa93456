/**
 * Derives lenderC's rates, which its markets do not report, from the value of a share some blocks ago, if a node still
 * has that state.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { blockNumberIn, blockNumberReads, multicall3Abi } from "../chain/Multicall3.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { fTokenAbi, manyShares } from "./Fluid.ts"

/** Blocks to go back, farthest first. An archive node has them all; most nodes keep the state of 128 blocks. */
const distances = [7_200n, 120n, 30n]

/** Minimum seconds between two samples; over less, growth is not meaningful. */
const minSeconds = 30n

interface Growth {
  /** Interest per second; null where it is unknown. */
  readonly perSecond: number | null
  readonly note: string
}

export const unknownGrowth: Growth = {
  perSecond: null,
  note: "the market reports no rate, and the node has no earlier value of a share"
}

const sampleAt = (chain: ChainClient, fTokens: ReadonlyArray<Address>, block?: bigint) =>
  Effect.map(
    readGroups({ readAll: (reads) => chain.readAll(reads, block) }, [
      blockNumberReads(chain.book),
      [Contract.read(multicall3Abi, chain.book.multicall3, "getCurrentBlockTimestamp", [])],
      fTokens.map((fToken) => Contract.read(fTokenAbi, fToken, "convertToAssets", [manyShares]))
    ]),
    ([number, [time], worths]) => ({
      number: blockNumberIn(number) ?? 0n,
      time: Result.getOrElse(time, () => 0n),
      worths: worths.map((worth) => Result.getOrElse(worth, () => 0n))
    })
  )

type Sample = Effect.Success<ReturnType<typeof sampleAt>>

const between = (before: Sample, now: Sample, index: number): Growth => {
  const [then, today] = [before.worths[index] ?? 0n, now.worths[index] ?? 0n]
  const seconds = now.time - before.time
  return then === 0n || today === 0n || seconds < minSeconds
    ? unknownGrowth
    : {
      // Scaled to 18 decimals before the conversion: an hour's growth is in the digits a double would drop.
      perSecond: Math.log1p(Number((today - then) * 10n ** 18n / then) / 1e18) / Number(seconds),
      note: `from the value of a share ${now.number - before.number} blocks (${seconds} s) earlier`
    }
}

/** Returns the growth of these fTokens' shares, in order. */
export const read = (
  chain: ChainClient,
  fTokens: ReadonlyArray<Address>
): Effect.Effect<ReadonlyArray<Growth>, ExecutionFailure> =>
  Effect.gen(function*() {
    const now = yield* Effect.mapError(sampleAt(chain, fTokens), unavailable)
    for (const distance of distances) {
      if (distance >= now.number) continue
      // A node without that block's state refuses or returns nothing; it may have a nearer block.
      const before = yield* Effect.option(sampleAt(chain, fTokens, now.number - distance))
      if (before._tag === "None") continue
      const growth = fTokens.map((_, index) => between(before.value, now, index))
      if (growth.some(({ perSecond }) => perSecond !== null)) return growth
    }
    return fTokens.map(() => unknownGrowth)
  })
