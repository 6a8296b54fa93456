/** Client of one network: typed reads, batched by multicall; fees; the head; broadcasting. */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Log, Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { Scope } from "effect/Scope"
import { type Abi, decodeFunctionResult, encodeFunctionData, parseAbi } from "viem"
import * as BlockFollower from "./BlockFollower.ts"
import type { Block } from "./BlockFollower.ts"
import type { Read } from "./Contract.ts"
import type { JsonRpc } from "./JsonRpc.ts"
import * as TtlCache from "./TtlCache.ts"
import { type RpcFailure, RpcRefused, type RpcUnavailable } from "./RpcFailure.ts"

const multicall3 = parseAbi([
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3(Call3[] calls) payable returns (Result[] returnData)",
  "function getEthBalance(address) view returns (uint256)",
  "function getBlockNumber() view returns (uint256)"
]) satisfies Abi

/** A call for `eth_call` and `eth_estimateGas`. */
export interface Transaction {
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

/** The failure of one read among several: its revert data, or a text. */
export interface ReadFailure {
  readonly data: string | undefined
  readonly reason: string
}

/** A log and the number of its block. */
export interface PlacedLog {
  readonly log: Log
  readonly block: bigint
}

/** A block's hash and its transactions, each with sender and nonce. */
export interface BlockBody {
  readonly hash: Hash
  readonly number: bigint
  readonly transactions: ReadonlyArray<{ readonly hash: Hash; readonly from: Address; readonly nonce: bigint }>
}

type Reads = ReadonlyArray<Read<unknown>>
type Results<R extends Reads> = {
  readonly [K in keyof R]: R[K] extends Read<infer A> ? Result.Result<A, ReadFailure> : never
}

export interface ChainClient {
  readonly book: NetworkBook
  /** Makes all reads at one block, in one call. A failed read is a `Failure`; the others are valid. */
  readonly readAll: <const R extends Reads>(reads: R, block?: bigint) => Effect.Effect<Results<R>, RpcFailure>
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
  /** Runs code as a contract's init code and returns its output; nothing is sent. A revert is an `RpcRefused`. */
  readonly callInitcode: (code: Hex) => Effect.Effect<Hex, RpcFailure>
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
  /** Broadcasts bytes in the order given, and returns the result of each. */
  readonly broadcast: JsonRpc["broadcast"]
  /** Reads a receipt; `null` while no block holds the transaction. */
  readonly receipt: (hash: Hash) => Effect.Effect<Receipt | null, RpcFailure>
  /** The same for many, in one request. A read that the node refuses is a `Failure`; the others are valid. */
  readonly receipts: (
    hashes: ReadonlyArray<Hash>
  ) => Effect.Effect<ReadonlyArray<Result.Result<Receipt | null, RpcRefused>>, RpcUnavailable>
  /**
   * Reads the hash of the block at this height, cached so that concurrent lanes share it; `null` where there is none.
   */
  readonly blockHash: (number: bigint) => Effect.Effect<Hash | null, RpcFailure>
  /** Reads the time of the block at this height, unix seconds; `null` where there is none. */
  readonly blockTime: (number: bigint) => Effect.Effect<number | null, RpcFailure>
  /**
   * Reads the logs of these blocks, both ends included, whose first topic is one of these. Nodes refuse ranges that are
   * too long.
   */
  readonly logs: (
    filter: { readonly from: bigint; readonly to: bigint; readonly topics: ReadonlyArray<Hash> }
  ) => Effect.Effect<ReadonlyArray<PlacedLog>, RpcFailure>
  /** Reads the receipts that any endpoint has for these transactions; ignores endpoints that do not answer. */
  readonly receiptsAnywhere: (hashes: ReadonlyArray<Hash>) => Effect.Effect<ReadonlyArray<Receipt>>
  /** Reads the block at this height with its transactions; `null` where there is none. */
  readonly body: (number: bigint) => Effect.Effect<BlockBody | null, RpcFailure>
  /** The same from each endpoint that answers. */
  readonly bodiesEverywhere: (number: bigint) => Effect.Effect<ReadonlyArray<BlockBody | null>>
  /**
   * Reads the hash of the block at this height from each endpoint that answers; `null` where an endpoint has no such
   * block.
   */
  readonly blockHashesEverywhere: (number: bigint) => Effect.Effect<ReadonlyArray<Hash | null>>
  /** Waits for a block above the given one, or for a reorg, and returns the head. */
  readonly awaitBlockAfter: BlockFollower.BlockFollower["awaitBlockAfter"]
  /** Number of reorgs detected on this network. */
  readonly reorgs: Effect.Effect<number>
}

const Quantity = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]+$/u)).pipe(Schema.decodeTo(
  Schema.BigInt,
  SchemaTransformation.transform({
    decode: (text) => BigInt(text),
    encode: (value) => `0x${value.toString(16)}`
  })
))
const Bytes = Schema.TemplateLiteral(["0x", Schema.String])
const FeeHistory = Schema.Struct({
  baseFeePerGas: Schema.Array(Quantity),
  reward: Schema.optional(Schema.NullOr(Schema.Array(Schema.Array(Quantity))))
})
const RawBlock = Schema.NullOr(Schema.Struct({
  number: Quantity,
  hash: Bytes,
  parentHash: Bytes,
  baseFeePerGas: Quantity.pipe(Schema.withDecodingDefaultType(Effect.succeed(0n))),
  timestamp: Quantity
}))
const RawLog = Schema.Struct({ address: Bytes, topics: Schema.Array(Bytes), data: Bytes })
const RawReceipt = Schema.NullOr(Schema.Struct({
  transactionHash: Bytes,
  blockHash: Bytes,
  blockNumber: Quantity,
  status: Quantity,
  gasUsed: Quantity,
  effectiveGasPrice: Quantity,
  logs: Schema.Array(RawLog)
}))
const RawBody = Schema.NullOr(Schema.Struct({
  number: Quantity,
  hash: Bytes,
  // Some rollups' system transactions have no nonce.
  transactions: Schema.Array(
    Schema.Struct({
      hash: Bytes,
      from: Bytes,
      nonce: Quantity.pipe(Schema.withDecodingDefaultType(Effect.succeed(-1n)))
    })
  )
}))
const RawPlacedLogs = Schema.Array(Schema.Struct({ ...RawLog.fields, blockNumber: Quantity }))

const hex = (value: bigint): Hex => `0x${value.toString(16)}`
const lower = (text: string) => text.toLowerCase() as Hex

const toLog = (raw: typeof RawLog.Type) =>
  Log.make({ address: lower(raw.address), topics: raw.topics.map(lower), data: lower(raw.data) })

const toReceipt = (raw: typeof RawReceipt.Type): Receipt | null =>
  raw === null ? null : Receipt.make({
    transactionHash: lower(raw.transactionHash),
    blockHash: lower(raw.blockHash),
    blockNumber: raw.blockNumber,
    succeeded: raw.status === 1n,
    gasUsed: raw.gasUsed,
    effectiveGasPrice: raw.effectiveGasPrice,
    logs: raw.logs.map(toLog)
  })

const toBody = (raw: typeof RawBody.Type): BlockBody | null =>
  raw === null ? null : {
    number: raw.number,
    hash: lower(raw.hash),
    transactions: raw.transactions.map(({ from, hash, nonce }) => ({ hash: lower(hash), from: lower(from), nonce }))
  }

/** How long the code of a contract that never changes is cached. */
const codeMillis = 3_600_000

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

export const make = (book: NetworkBook, rpc: JsonRpc): Effect.Effect<ChainClient, never, Scope> =>
  Effect.gen(function*() {
    const read = <A, I>(schema: Schema.Codec<A, I>, method: string) => {
      const decode = Schema.decodeUnknownResult(schema)
      return (result: unknown) =>
        Result.mapError(
          decode(result),
          () => new RpcRefused({ code: 0, reason: `the answer to ${method} is malformed` })
        )
    }
    const request = <A, I>(schema: Schema.Codec<A, I>, method: string, params: ReadonlyArray<unknown>) =>
      Effect.flatMap(rpc.request(method, params), (result) => Effect.fromResult(read(schema, method)(result)))
    const requestAll = <A, I>(
      schema: Schema.Codec<A, I>,
      method: string,
      params: ReadonlyArray<ReadonlyArray<unknown>>
    ) => Effect.map(rpc.requestAll(method, params), (answers) => answers.map(Result.flatMap(read(schema, method))))
    /** Sends a read to every endpoint. Returns the answers, without malformed ones. */
    const requestEverywhere = <A, I>(schema: Schema.Codec<A, I>, method: string, params: ReadonlyArray<unknown>) =>
      Effect.map(
        rpc.requestEverywhere(method, params),
        (answers) => Arr.getSuccesses(answers.map(read(schema, method)))
      )
    const bodyAt = (number: bigint) => [hex(number), true] as const
    const block = (number: bigint | "latest") =>
      Effect.map(
        request(RawBlock, "eth_getBlockByNumber", [number === "latest" ? number : hex(number), false]),
        (raw): Block | null =>
          raw === null ? null : {
            number: raw.number,
            hash: lower(raw.hash),
            parentHash: lower(raw.parentHash),
            baseFee: raw.baseFeePerGas,
            time: Number(raw.timestamp)
          }
      ).pipe(Effect.tap((found) =>
        number === "latest" && found !== null
          ? Metrics.set(Metrics.headBlock, { network: book.network }, Number(found.number))
          : Effect.void
      ))
    const { awaitBlockAfter: awaitBlockAfter, head, reorgs } = yield* BlockFollower.make({
      block,
      pollMillis: book.blockPollMillis
    })
    const callObject = ({ from, to, data, value }: Transaction) => ({ from, to, data, value: hex(value) })

    const readAll = <const R extends Reads>(reads: R, at?: bigint) => {
      const data = encodeFunctionData({
        abi: multicall3,
        functionName: "aggregate3",
        args: [reads.map((read) => ({ target: read.to, allowFailure: true, callData: read.data }))]
      })
      return Effect.map(
        request(Bytes, "eth_call", [{ to: book.multicall3, data }, at === undefined ? "latest" : hex(at)]),
        (bytes) =>
          decodeFunctionResult({ abi: multicall3, functionName: "aggregate3", data: bytes }).map((result, index) =>
            result.success
              ? Result.mapError(
                reads[index]!.decode(result.returnData),
                (reason): ReadFailure => ({ data: undefined, reason })
              )
              : Result.fail<ReadFailure>({ data: result.returnData, reason: "reverted" })
          ) as unknown as Results<R>
      )
    }

    // The state override gives the address the multicall's code, so that the called contracts see the address as the
    // caller.
    const multicallCode = yield* TtlCache.make(request(Bytes, "eth_getCode", [book.multicall3, "latest"]), codeMillis)
    const simulateCalls: ChainClient["simulateCalls"] = (by, calls) =>
      Effect.gen(function*() {
        const args = [calls.map(({ data, to }) => ({ target: to, allowFailure: true, callData: data }))] as const
        const data = encodeFunctionData({ abi: multicall3, functionName: "aggregate3", args })
        const answer = yield* request(Bytes, "eth_call", [{ to: by, data }, "latest", {
          [by]: { code: yield* multicallCode }
        }])
        const results = Result.try(() =>
          decodeFunctionResult({ abi: multicall3, functionName: "aggregate3", data: answer })
        )
        if (Result.isFailure(results)) {
          return yield* new RpcRefused({
            code: 0,
            reason: "the node does not support state overrides of an address's code"
          })
        }
        return results.success.map(({ returnData, success }) =>
          success ? Result.succeed(returnData) : Result.fail<ReadFailure>({ data: returnData, reason: "reverted" })
        )
      })

    // Keyed by the number of reorgs: a caller that checks because of a reorg must not get an older hash.
    const hashes = TtlCache.keyed<Hash | null, RpcFailure>(book.blockPollMillis, 256)

    const fees = Effect.map(request(FeeHistory, "eth_feeHistory", ["0x5", "latest", [50]]), feesFrom)

    return {
      book,
      readAll,
      head,
      balance: (address) => request(Quantity, "eth_getBalance", [address, "latest"]),
      nonce: (address, block) =>
        request(Quantity, "eth_getTransactionCount", [address, typeof block === "bigint" ? hex(block) : block]),
      nonces: (wallets) =>
        Effect.map(
          requestAll(Quantity, "eth_getTransactionCount", wallets.map((wallet) => [wallet, "latest"])),
          (answers) =>
            answers.flatMap((answer, index) =>
              Result.isSuccess(answer) ? [{ wallet: wallets[index]!, count: answer.success }] : []
            )
        ),
      call: (transaction, at) =>
        request(Bytes, "eth_call", [callObject(transaction), at === undefined ? "latest" : hex(at)]),
      simulateCalls,
      callInitcode: (code) => request(Bytes, "eth_call", [{ data: code }, "latest"]),
      code: (address) => request(Bytes, "eth_getCode", [address, "latest"]),
      estimateGas: (transaction) => request(Quantity, "eth_estimateGas", [callObject(transaction)]),
      estimateAll: (transactions) =>
        requestAll(Quantity, "eth_estimateGas", transactions.map((transaction) => [callObject(transaction)])),
      fees,
      recentFees: yield* TtlCache.make(fees, recentFeesMillis),
      broadcast: rpc.broadcast,
      receipt: (hash) => Effect.map(request(RawReceipt, "eth_getTransactionReceipt", [hash]), toReceipt),
      receipts: (hashes) =>
        Effect.map(
          requestAll(RawReceipt, "eth_getTransactionReceipt", hashes.map((hash) => [hash])),
          (answers) => answers.map(Result.map(toReceipt))
        ),
      blockHash: (number) =>
        Effect.flatMap(
          reorgs,
          (seen) => hashes(`${number}/${seen}`, Effect.map(block(number), (found) => found?.hash ?? null))
        ),
      blockTime: (number) => Effect.map(block(number), (found) => found?.time ?? null),
      logs: ({ from, to, topics }) =>
        Effect.map(
          request(RawPlacedLogs, "eth_getLogs", [{ fromBlock: hex(from), toBlock: hex(to), topics: [topics] }]),
          (raws) => raws.map((raw) => ({ log: toLog(raw), block: raw.blockNumber }))
        ),
      receiptsAnywhere: (hashes) =>
        Effect.map(
          Effect.forEach(hashes, (hash) => requestEverywhere(RawReceipt, "eth_getTransactionReceipt", [hash]), {
            concurrency: "unbounded"
          }),
          (all) => all.flat().flatMap((raw) => toReceipt(raw) ?? [])
        ),
      body: (number) => Effect.map(request(RawBody, "eth_getBlockByNumber", bodyAt(number)), toBody),
      bodiesEverywhere: (number) =>
        Effect.map(requestEverywhere(RawBody, "eth_getBlockByNumber", bodyAt(number)), (all) => all.map(toBody)),
      blockHashesEverywhere: (number) =>
        Effect.map(
          requestEverywhere(RawBlock, "eth_getBlockByNumber", [hex(number), false]),
          (all) => all.map((raw) => raw === null ? null : lower(raw.hash))
        ),
      awaitBlockAfter,
      reorgs
    }
  })

/** Makes several lists of reads at one block, in one call. */
export const readGroups = <const G extends ReadonlyArray<Reads>>(
  chain: Pick<ChainClient, "readAll">,
  groups: G
): Effect.Effect<{ readonly [K in keyof G]: Results<G[K]> }, RpcFailure> =>
  Effect.map(chain.readAll(groups.flat()), (results) => {
    let next = 0
    // Each group has its original length; the compiler cannot follow lengths through `flat`.
    return groups.map((group) => results.slice(next, next += group.length)) as unknown as {
      readonly [K in keyof G]: Results<G[K]>
    }
  })
