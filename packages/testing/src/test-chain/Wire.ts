/** Encodes blocks, transactions and receipts as a node writes them. */
import { parseTransaction, type TransactionSerializedEIP1559 } from "viem"
import { type Block, type Blocks, nextBaseFee } from "./Blocks.ts"
import type { Mined } from "./Execution.ts"
import { quantity } from "./Quantity.ts"
import { type SignedTransaction, tipAt } from "./Transaction.ts"

const types = { legacy: "0x0", eip2930: "0x1", eip1559: "0x2" } as const

/** An empty bloom filter: nothing here searches by bloom. */
const noBloom = `0x${"0".repeat(512)}`

export const transaction = (signed: SignedTransaction, mined: Mined | undefined) => ({
  hash: signed.hash,
  type: types[signed.type],
  chainId: quantity(signed.chainId),
  from: signed.from,
  to: signed.to,
  nonce: quantity(signed.nonce),
  gas: quantity(signed.gas),
  gasPrice: quantity(mined?.effectiveGasPrice ?? signed.maxFeePerGas),
  ...(signed.type === "eip1559"
    ? { maxFeePerGas: quantity(signed.maxFeePerGas), maxPriorityFeePerGas: quantity(signed.maxPriorityFeePerGas) }
    : {}),
  value: quantity(signed.value),
  input: signed.data,
  blockHash: mined?.blockHash ?? null,
  blockNumber: mined === undefined ? null : quantity(mined.blockNumber),
  transactionIndex: mined === undefined ? null : quantity(mined.index)
})

/** Returns the signature in a transaction's bytes, as nodes report it beside the transaction. */
export const signature = ({ raw }: SignedTransaction) => {
  const { r, s, yParity } = parseTransaction(raw as TransactionSerializedEIP1559)
  return r === undefined || s === undefined || yParity === undefined
    ? {}
    : { r, s, yParity: quantity(BigInt(yParity)), v: quantity(BigInt(yParity)) }
}

export const receipt = (mined: Mined) => {
  const place = {
    transactionHash: mined.transaction.hash,
    transactionIndex: quantity(mined.index),
    blockHash: mined.blockHash,
    blockNumber: quantity(mined.blockNumber)
  }
  return {
    ...place,
    type: types[mined.transaction.type],
    status: mined.succeeded ? "0x1" : "0x0",
    from: mined.transaction.from,
    to: mined.transaction.to,
    contractAddress: null,
    gasUsed: quantity(mined.gasUsed),
    cumulativeGasUsed: quantity(mined.cumulativeGasUsed),
    effectiveGasPrice: quantity(mined.effectiveGasPrice),
    logsBloom: noBloom,
    logs: mined.logs.map((log, index) => ({
      ...log,
      ...place,
      logIndex: quantity(mined.firstLog + index),
      removed: false
    }))
  }
}

/** Encodes a block. `whole` includes transactions instead of their hashes. */
export const block = (
  { baseFee, gasUsed, hash, number, parentHash, timestamp, transactions }: Block,
  blockGasLimit: bigint,
  whole: boolean
) => ({
  number: quantity(number),
  hash,
  parentHash,
  timestamp: quantity(timestamp),
  baseFeePerGas: quantity(baseFee),
  gasLimit: quantity(blockGasLimit),
  gasUsed: quantity(gasUsed),
  transactions: transactions.map((mined) => whole ? transaction(mined.transaction, mined) : mined.transaction.hash)
})

const byAmount = (one: bigint, other: bigint) => one < other ? -1 : one > other ? 1 : 0

/** Returns the tips at percentiles of a block's gas; zero in an empty block. */
const rewards = ({ baseFee, gasUsed, transactions }: Block, percentiles: ReadonlyArray<number>) => {
  const paid = transactions
    .map(({ gasUsed, transaction }) => ({ gasUsed, tip: tipAt(transaction, baseFee) }))
    .sort((one, other) => byAmount(one.tip, other.tip))
  return percentiles.map((percentile) => {
    let gas = 0n
    const threshold = gasUsed * BigInt(Math.round(percentile * 100)) / 10_000n
    const reached = paid.find((one) => {
      gas += one.gasUsed
      return gas >= threshold
    })
    return quantity(reached?.tip ?? 0n)
  })
}

export const feeHistory = (blocks: Blocks, requested: ReadonlyArray<Block>, percentiles: ReadonlyArray<number>) => {
  const newest = requested.at(-1)
  const next = newest === undefined || newest.number === blocks.head.number
    ? nextBaseFee(blocks)
    : nextBaseFee({ ...blocks, head: newest, pinnedBaseFee: undefined })
  return {
    oldestBlock: quantity(requested[0]?.number ?? 0n),
    baseFeePerGas: [...requested.map(({ baseFee }) => baseFee), next].map(quantity),
    gasUsedRatio: requested.map(({ gasUsed }) => Number(gasUsed) / Number(blocks.blockGasLimit)),
    ...(percentiles.length === 0 ? {} : { reward: requested.map((one) => rewards(one, percentiles)) })
  }
}
