/** lenderC tells no rate: it is found by what a share was worth some blocks ago, where a node still knows that. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseAbi } from "viem"
import { type ChainClient, readGroups } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { fTokenAbi, manyShares } from "./Fluid.ts"

const clockAbi = parseAbi([
  "function getBlockNumber() view returns (uint256)",
  "function getCurrentBlockTimestamp() view returns (uint256)"
])

/** How far back to look, farthest first: a node that keeps everything tells more, most keep 128 blocks. */
const distances = [7_200n, 120n, 30n]

/** Seconds between two looks below which growth says nothing. */
const shortest = 30n

export interface Growth {
  /** Interest a second; null where nobody can tell. */
  readonly perSecond: number | null
  readonly note: string
}

export const untold: Growth = {
  perSecond: null,
  note: "the market tells no rate, and the node does not know what a share was worth before"
}

const look = (chain: ChainClient, fTokens: ReadonlyArray<Address>, block?: bigint) =>
  Effect.map(
    readGroups({ readAll: (reads) => chain.readAll(reads, block) }, [
      [
        Contract.read(clockAbi, chain.book.multicall3, "getBlockNumber", []),
        Contract.read(clockAbi, chain.book.multicall3, "getCurrentBlockTimestamp", [])
      ],
      fTokens.map((fToken) => Contract.read(fTokenAbi, fToken, "convertToAssets", [manyShares]))
    ]),
    ([[number, time], worths]) => ({
      number: Result.getOrElse(number, () => 0n),
      time: Result.getOrElse(time, () => 0n),
      worths: worths.map((worth) => Result.getOrElse(worth, () => 0n))
    })
  )

type Look = Effect.Success<ReturnType<typeof look>>

const between = (before: Look, now: Look, index: number): Growth => {
  const [then, today] = [before.worths[index] ?? 0n, now.worths[index] ?? 0n]
  const seconds = now.time - before.time
  return then === 0n || today === 0n || seconds < shortest
    ? untold
    : {
      // Of 18 decimals before it becomes a number: the growth of an hour is in the digits a double would drop.
      perSecond: Math.log1p(Number((today - then) * 10n ** 18n / then) / 1e18) / Number(seconds),
      note: `from what a share was worth ${now.number - before.number} blocks (${seconds} s) before`
    }
}

/** How fast the shares of these fTokens grow, in order. */
export const read = (chain: ChainClient, fTokens: ReadonlyArray<Address>): Effect.Effect<ReadonlyArray<Growth>, ExecutionFailure> =>
  Effect.gen(function*() {
    const now = yield* Effect.mapError(look(chain, fTokens), unavailable)
    for (const distance of distances) {
      if (distance >= now.number) continue
      // A node that keeps no state of that block refuses, or has none to tell: a nearer one may do.
      const before = yield* Effect.option(look(chain, fTokens, now.number - distance))
      if (before._tag === "None") continue
      const growth = fTokens.map((_, index) => between(before.value, now, index))
      if (growth.some(({ perSecond }) => perSecond !== null)) return growth
    }
    return fTokens.map(() => untold)
  })
