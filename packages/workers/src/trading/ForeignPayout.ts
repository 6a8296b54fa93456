/**
 * Finds the transaction of someone else, such as the vault's manager by hand, that has paid out a withdrawal at
 * EasySwapperV2: then nothing is left for the second step of a redemption.
 */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import type { Log, Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import { movedBy } from "../platform/Transfers.ts"
import { readSpan, transactionExecuted } from "../platform/VaultExecutions.ts"
import type { VaultContext } from "../vault/Action.ts"

export interface ForeignPayout {
  readonly txHash: Hash
  /** The assets that the vault received; smallest units. */
  readonly paid: ReadonlyArray<{ readonly token: Token; readonly received: bigint }>
}

/** Maximum number of blocks after the first step that are searched. */
const maxBlocks = 50_000n

/** The platform's types of EasySwapperV2's calls. Source: the platform's ITransactionTypes. */
const isEasySwapperType = (type: number) => type >= 87 && type <= 90

/** Reads the type of an execution from its event: pool, manager, type, time. */
const typeOf = ({ data }: Log) => Number(`0x${data.slice(2 + 2 * 64, 2 + 3 * 64) || "0"}`)

/** Lists what the vault received in a receipt. */
const receivedIn = ({ logs }: Receipt, pool: Address) =>
  [...new Set(logs.map(({ address }) => address))].flatMap((token) => {
    const { received } = movedBy(logs, token, pool)
    return received === 0n ? [] : [{ token, received }]
  })

/** True when the vault got assets by a call of EasySwapperV2 and neither gave nor received a pool token. */
const isPayout = ({ book }: ChainClient, receipt: Receipt, pool: Address) =>
  receipt.succeeded &&
  receipt.logs.some((log) =>
    log.address === pool && log.topics[0] === transactionExecuted && isEasySwapperType(typeOf(log))
  ) &&
  (book.easySwapper?.poolTokens ?? []).every(({ address }) => {
    const { received, sent } = movedBy(receipt.logs, address, pool)
    return received === 0n && sent === 0n
  }) &&
  receivedIn(receipt, pool).length > 0

/** Reads receipts that the endpoints agree on. */
const receiptsOf = (chain: ChainClient, hashes: ReadonlyArray<Hash>) =>
  Effect.map(chain.receipts(hashes), (found) =>
    found.flatMap((each) => {
      const receipt = Result.getOrElse(each, () => null)
      return receipt === null ? [] : [receipt]
    }))

/** Searches the vault's executions after the first step, in final blocks. */
const search = (chain: ChainClient, pool: Address, first: Receipt) =>
  Effect.gen(function*() {
    const final = yield* chain.finalBlock
    const last = final < first.blockNumber + maxBlocks ? final : first.blockNumber + maxBlocks
    for (let from = first.blockNumber; from <= last;) {
      const span = yield* readSpan(chain, from, last)
      const hashes = span.logs.flatMap(({ log, transactionHash }) => log.address === pool ? [transactionHash] : [])
      const candidates = [...new Set(hashes)].filter((hash) => hash !== first.transactionHash)
      const found = (yield* receiptsOf(chain, candidates)).find((receipt) => isPayout(chain, receipt, pool))
      if (found !== undefined) return found
      from = span.to + 1n
    }
    return undefined
  })

/** Returns the payout of the withdrawal that a first step began; undefined while no final block has one. */
export const find = ({ chain, network, pool }: VaultContext, initTx: Hash | null) =>
  Effect.gen(function*() {
    if (initTx === null) return undefined
    const [first] = yield* Effect.mapError(receiptsOf(chain, [initTx]), unavailable)
    if (first === undefined) return undefined
    const found = yield* Effect.mapError(search(chain, pool, first), unavailable)
    if (found === undefined) return undefined
    const received = receivedIn(found, pool)
    const tokens = yield* (yield* Tokens).at(network, received.map(({ token }) => token))
    return {
      txHash: found.transactionHash,
      paid: received.flatMap((each, index) => {
        const token = tokens[index]
        return token === undefined ? [] : [{ token, received: each.received }]
      })
    } satisfies ForeignPayout
  })
