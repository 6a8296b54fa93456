/** Reads whether the blocks that held transactions are still in the chain. */
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as BlockPlace from "../chain/BlockPlace.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"

type Standing = "stands" | "moved" | "unknown"
export type Standings<T> = Readonly<Record<Standing, ReadonlyArray<T>>>

/** A transaction in a block, and whether its row is final. */
interface PlacedTransaction {
  readonly receipt: Receipt
  readonly finalRow?: unknown
}

/** Groups transactions by whether their blocks still exist. One read per block decides for every transaction in it. */
export const read = <T extends PlacedTransaction>(
  chain: ChainClient,
  transactions: ReadonlyArray<T>
): Effect.Effect<Standings<T>, RpcFailure> =>
  Effect.gen(function*() {
    const blocks = Object.values(Arr.groupBy(transactions, ({ receipt }) => receipt.blockHash))
    const readBlock = (held: Arr.NonEmptyReadonlyArray<T>) => {
      const { receipt } = held[0]
      const isFinal = held.some(({ finalRow }) => finalRow !== undefined)
      const standing = isFinal ? finalStandingOf(chain, receipt) : standingOf(chain, receipt)
      return Effect.map(standing, (found) => [receipt.blockHash, found] as const)
    }
    const standings = new Map(yield* Effect.forEach(blocks, readBlock, { concurrency: "unbounded" }))
    const those = (standing: Standing) =>
      transactions.filter(({ receipt }) => standings.get(receipt.blockHash) === standing)
    return { stands: those("stands"), moved: those("moved"), unknown: those("unknown") }
  })

/**
 * Reads whether a block that was not final yet still exists: one endpoint's word that it does is enough until it becomes
 * final. Absence proves nothing: it is replaced only if every endpoint with its height has another one.
 */
const standingOf = (chain: ChainClient, { blockHash, blockNumber }: Receipt): Effect.Effect<Standing, RpcFailure> =>
  Effect.gen(function*() {
    if ((yield* chain.blockHash(blockNumber)) === blockHash) return "stands"
    const others = (yield* chain.blocksEverywhere(blockNumber)).filter((other) => other !== null)
    return others.length > 0 && others.every(({ hash }) => hash !== blockHash) ? "moved" : "unknown"
  })

/** Reads whether the block of a receipt is in its place, by the hash that most endpoints have there. */
export const placeOf = (chain: ChainClient, { blockHash, blockNumber }: Receipt) =>
  BlockPlace.read(chain, { hash: blockHash, number: blockNumber })

/** Reads whether a block of a final row still exists. Where no endpoint has one, its branch may not have grown back. */
const finalStandingOf = (chain: ChainClient, receipt: Receipt): Effect.Effect<Standing> =>
  Effect.map(placeOf(chain, receipt), (place) => {
    if (place === "in place") return "stands"
    return place === "moved" ? "moved" : "unknown"
  })
