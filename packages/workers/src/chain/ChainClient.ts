/** Client of one network: typed reads, batched by multicall; fees; the head; broadcasting. */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Log, Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Scope } from "effect/Scope"
import * as BatchedCalls from "./BatchedCalls.ts"
import * as BlockFollower from "./BlockFollower.ts"
import type { Block } from "./BlockFollower.ts"
import * as ConfirmedReads from "./ConfirmedReads.ts"
import type { ReadFailure } from "./Contract.ts"
import * as FinalBlock from "./FinalBlock.ts"
import * as DataFee from "./DataFee.ts"
import type { JsonRpc } from "./JsonRpc.ts"
import * as ReadsEverywhere from "./ReadsEverywhere.ts"
import * as ReceiptQuorum from "./ReceiptQuorum.ts"
import type { RpcFailure, RpcRefused, RpcUnavailable } from "./RpcFailure.ts"
import {
  Bytes,
  FeeHistory,
  hex,
  lower,
  Quantity,
  RawBlock,
  RawBody,
  RawPlacedLogs,
  RawReceipt,
  toBlock,
  toBody,
  toLog,
  toReceipt
} from "./RpcSchema.ts"
import * as SentTransaction from "./SentTransaction.ts"
import * as TtlCache from "./TtlCache.ts"
import * as TypedRpc from "./TypedRpc.ts"
import * as WatchReads from "./WatchReads.ts"

/** A call for `eth_call` and `eth_estimateGas`. */
interface Transaction {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

/** EIP-1559 fees per gas, in wei. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** A log, the number of its block and its transaction. */
export interface PlacedLog {
  readonly log: Log
  readonly block: bigint
  readonly transactionHash: Hash
}

/** A range of blocks, both ends included, and the first topics of the wanted logs. */
interface LogFilter {
  readonly from: bigint
  readonly to: bigint
  readonly topics: ReadonlyArray<Hash>
}

/** A block's hash and its transactions, each with sender and nonce. */
export interface BlockBody {
  readonly hash: Hash
  readonly number: bigint
  readonly transactions: ReadonlyArray<{ readonly hash: Hash; readonly from: Address; readonly nonce: bigint }>
}

export interface ChainClient
  extends WatchReads.WatchReads, ConfirmedReads.ConfirmedReads, Pick<BlockFollower.BlockFollower, "markHead">
{
  readonly book: NetworkBook
  /** Makes all reads at one block, in one call. A failed read is a `Failure`; the others are valid. */
  readonly readAll: BatchedCalls.ReadAll
  /** Reads the current head. */
  readonly head: Effect.Effect<Block, RpcFailure>
  readonly balance: (address: Address) => Effect.Effect<bigint, RpcFailure>
  readonly nonce: (address: Address, block: "latest" | "pending" | bigint) => Effect.Effect<bigint, RpcFailure>
  /**
   * Reads the transaction counts of many wallets at the newest block, in one request. Omits wallets whose read the node
   * refuses.
   */
  readonly nonces: (
    wallets: ReadonlyArray<Address>
  ) => Effect.Effect<ReadonlyArray<{ readonly wallet: Address; readonly count: bigint }>, RpcFailure>
  /** Simulates; a revert is an `RpcRefused` with its data. */
  readonly call: (transaction: Transaction, block?: bigint) => Effect.Effect<Hex, RpcFailure>
  /**
   * Simulates these calls, made by an address one after the other; nothing is sent. Fails with `RpcRefused` on a node
   * without state overrides.
   */
  readonly simulateCalls: (
    by: Address,
    calls: ReadonlyArray<{ readonly to: Address; readonly data: Hex }>
  ) => Effect.Effect<ReadonlyArray<Result.Result<Hex, ReadFailure>>, RpcFailure>
  /**
   * Runs code as a contract's init code at each endpoint that answers, and returns its outputs; nothing is sent. `null`
   * where it reverts.
   */
  readonly initcodeOutputs: (code: Hex) => Effect.Effect<ReadonlyArray<Hex | null>>
  /** Reads the code at an address; `0x` where there is none. */
  readonly code: (address: Address) => Effect.Effect<Hex, RpcFailure>
  /** Estimates gas units; a revert is an `RpcRefused` with its data. */
  readonly estimateGas: (transaction: Transaction) => Effect.Effect<bigint, RpcFailure>
  /** The same for many, in one request; fails when no node answers. */
  readonly estimateAll: (
    transactions: ReadonlyArray<Transaction>
  ) => Effect.Effect<ReadonlyArray<Result.Result<bigint, RpcRefused>>, RpcUnavailable>
  readonly fees: Effect.Effect<Fees, RpcFailure>
  /** Fees that are at most a block or two old, which twice the base fee allows for. Many submissions share one call. */
  readonly recentFees: Effect.Effect<Fees, RpcFailure>
  /** The price of the L1 data fee, at most half a minute old; zero on networks without such a fee. */
  readonly dataPrice: Effect.Effect<DataFee.DataPrice, RpcFailure>
  /** Broadcasts bytes in the order given, and returns the result of each. */
  readonly broadcast: JsonRpc["broadcast"]
  /** Reads a receipt; `null` while no block holds the transaction. */
  readonly receipt: (hash: Hash) => Effect.Effect<Receipt | null, RpcFailure>
  /**
   * Reads a transaction by its hash, with its signed bytes; `null` where it is not known. Of several endpoints two must
   * have it, unless its signed bytes prove it.
   */
  readonly transaction: (hash: Hash) => Effect.Effect<SentTransaction.SentTransaction | null, RpcFailure>
  /**
   * The same for many, in one request. A read that the node refuses is a `Failure`; the others are valid. With several
   * endpoints, a receipt that no second one confirms is a `Failure`, too.
   */
  readonly receipts: (
    hashes: ReadonlyArray<Hash>
  ) => Effect.Effect<ReadonlyArray<Result.Result<Receipt | null, RpcRefused>>, RpcUnavailable>
  /** Reads the hash of the block at this height, cached so that lanes share it; `null` where there is none. */
  readonly blockHash: (number: bigint) => Effect.Effect<Hash | null, RpcFailure>
  /** Reads the time of the block at this height, unix seconds; `null` where there is none. */
  readonly blockTime: (number: bigint) => Effect.Effect<number | null, RpcFailure>
  /**
   * Reads the logs of these blocks, both ends included, whose first topic is one of these. Nodes refuse ranges that are
   * too long.
   */
  readonly logs: (filter: LogFilter) => Effect.Effect<ReadonlyArray<PlacedLog>, RpcFailure>
  /**
   * Reads the different receipts that any endpoint has for these transactions; ignores endpoints that do not answer.
   */
  readonly receiptsAnywhere: (hashes: ReadonlyArray<Hash>) => Effect.Effect<ReadonlyArray<Receipt>>
  /** Reads the block at this height with its transactions; `null` where there is none. */
  readonly body: (number: bigint) => Effect.Effect<BlockBody | null, RpcFailure>
  /** The same from each endpoint that answers. */
  readonly bodiesEverywhere: (number: bigint) => Effect.Effect<ReadonlyArray<BlockBody | null>>
  /** Reads a wallet's transaction count at a block from each endpoint that answers. */
  readonly noncesEverywhere: (wallet: Address, block: bigint) => Effect.Effect<ReadonlyArray<bigint>>
  /** Reads the block at this height from each endpoint that answers; `null` where an endpoint has no such block. */
  readonly blocksEverywhere: (number: bigint) => Effect.Effect<ReadonlyArray<Block | null>>
  /** Returns whether the network's endpoints have contradicted each other in the last minutes. */
  readonly isDisputed: Effect.Effect<boolean>
  /** Reads the number of the newest final block; see `FinalBlock`. */
  readonly finalBlock: FinalBlock.Finality["finalBlock"]
  /**
   * Returns the hashes of those receipts that two endpoints confirm, where so many are configured: by the same receipt,
   * or by the block with the transaction in it.
   */
  readonly confirmed: (receipts: ReadonlyArray<Receipt>) => Effect.Effect<ReadonlySet<Hash>>
  /** Number of endpoints that must agree on a read that decides about money. */
  readonly quorum: number
  /** Waits for a block above the given one, or for a reorg, and returns the head. */
  readonly awaitBlockAfter: BlockFollower.BlockFollower["awaitBlockAfter"]
  /** Number of reorgs detected on this network. */
  readonly reorgs: Effect.Effect<number>
}

/** How long fees are reused for further submissions. */
const recentFeesMillis = 3_000

/**
 * Computes fees. Twice the next base fee leaves room for six full blocks of increases; the tip is the median of recent
 * blocks.
 */
const feesFrom = ({ baseFeePerGas, reward }: typeof FeeHistory.Type): Fees => {
  const base = baseFeePerGas.at(-1) ?? 0n
  const tips = (reward ?? []).flatMap((tip) => tip.slice(0, 1)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const tip = tips[Math.floor(tips.length / 2)] ?? 1_000_000n
  const maxPriorityFeePerGas = tip > 1_000_000n ? tip : 1_000_000n
  return { maxPriorityFeePerGas, maxFeePerGas: base * 2n + maxPriorityFeePerGas }
}

const callObject = ({ from, to, data, value }: Transaction) => ({ from, to, data, value: hex(value) })

/** Builds the estimates and calls of transactions. */
const callsOf = ({ request, requestAll }: TypedRpc.TypedRpc) =>
  ({
    call: (transaction: Transaction, at?: bigint) =>
      request(Bytes, "eth_call", [callObject(transaction), at === undefined ? "latest" : hex(at)]),
    estimateGas: (transaction: Transaction) => request(Quantity, "eth_estimateGas", [callObject(transaction)]),
    estimateAll: (transactions: ReadonlyArray<Transaction>) =>
      requestAll(Quantity, "eth_estimateGas", transactions.map((transaction) => [callObject(transaction)]))
  }) satisfies Partial<ChainClient>

/** Builds the reads of accounts and receipts. */
const readsOf = ({ request, requestAll }: TypedRpc.TypedRpc) =>
  ({
    balance: (address: Address) => request(Quantity, "eth_getBalance", [address, "latest"]),
    nonce: (address: Address, block: "latest" | "pending" | bigint) =>
      request(Quantity, "eth_getTransactionCount", [address, typeof block === "bigint" ? hex(block) : block]),
    nonces: (wallets: ReadonlyArray<Address>) =>
      Effect.map(
        requestAll(Quantity, "eth_getTransactionCount", wallets.map((wallet) => [wallet, "latest"])),
        (answers) =>
          answers.flatMap((answer, index) =>
            Result.isSuccess(answer) ? [{ wallet: wallets[index]!, count: answer.success }] : []
          )
      ),
    code: (address: Address) => request(Bytes, "eth_getCode", [address, "latest"]),
    receipt: (hash: Hash) => Effect.map(request(RawReceipt, "eth_getTransactionReceipt", [hash]), toReceipt),
    logs: ({ from, to, topics }: LogFilter) =>
      Effect.map(
        request(RawPlacedLogs, "eth_getLogs", [{ fromBlock: hex(from), toBlock: hex(to), topics: [topics] }]),
        (raws) =>
          raws.map((raw) => ({
            log: toLog(raw),
            block: raw.blockNumber,
            transactionHash: lower(raw.transactionHash)
          }))
      ),
    body: (number: bigint) =>
      Effect.map(request(RawBody, "eth_getBlockByNumber", ReadsEverywhere.bodyAt(number)), toBody)
  }) satisfies Partial<ChainClient>

export const make = (book: NetworkBook, rpc: JsonRpc): Effect.Effect<ChainClient, never, Scope> =>
  Effect.gen(function*() {
    const typed = TypedRpc.make(rpc)
    const block = (number: bigint | "latest") =>
      Effect.map(
        typed.request(RawBlock, "eth_getBlockByNumber", [number === "latest" ? number : hex(number), false]),
        toBlock
      ).pipe(Effect.tap((found) =>
        number === "latest" && found !== null
          ? Metrics.set(Metrics.headBlock, { network: book.network }, Number(found.number))
          : Effect.void
      ))
    const follower = yield* BlockFollower.make({ block, pollMillis: book.blockPollMillis })
    const { awaitBlockAfter, head, knownHash, markHead, reorgs } = follower
    const simulateCalls = yield* BatchedCalls.makeSimulateCalls(book, typed)

    // Keyed by the number of reorgs: a caller that checks because of a reorg must not get an older hash.
    const hashes = TtlCache.keyed<Hash | null, RpcFailure>(book.blockPollMillis, 256)

    const { price, readAll } = yield* DataFee.make(book.network, BatchedCalls.makeReadAll(book, typed))

    const fees = Effect.map(typed.request(FeeHistory, "eth_feeHistory", ["0x5", "latest", [50]]), feesFrom)

    return {
      book,
      ...readsOf(typed),
      ...callsOf(typed),
      ...ReadsEverywhere.make(typed, knownHash),
      ...(yield* FinalBlock.make(book, typed, follower)),
      ...ReceiptQuorum.make(book, typed, knownHash),
      quorum: Math.min(rpc.endpoints, 2),
      ...WatchReads.make(book, typed, readAll),
      readAll,
      ...ConfirmedReads.make(book, typed, readAll),
      simulateCalls,
      head,
      transaction: (hash) => SentTransaction.read(typed, hash),
      fees,
      recentFees: yield* TtlCache.make(fees, recentFeesMillis),
      dataPrice: price,
      broadcast: rpc.broadcast,
      isDisputed: rpc.isDisputed,
      blockHash: (number) =>
        Effect.flatMap(
          reorgs,
          (seen) => hashes(`${number}/${seen}`, Effect.map(block(number), (found) => found?.hash ?? null))
        ),
      blockTime: (number) => Effect.map(block(number), (found) => found?.time ?? null),
      ...{ awaitBlockAfter, markHead, reorgs }
    }
  })
