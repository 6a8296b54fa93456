/** The JSON-RPC methods that only read, answered from the current chain. */
import * as Result from "effect/Result"
import type { Hex } from "@vault-trader/core/chain/Address"
import type { Block, Blocks } from "./Blocks.ts"
import { blockAt, fill, minedAs, nextBaseFee, timestampAfter } from "./Blocks.ts"
import * as Execution from "./Execution.ts"
import * as Mempool from "./Mempool.ts"
import { quantity, toAddress, toHash, toMessage, toNumber } from "./Quantity.ts"
import { invalidParams, methodNotFound, refuse, type Reply, serverError } from "./Rpc.ts"
import * as Wire from "./Wire.ts"
import * as ChainState from "./ChainState.ts"

type Params = ReadonlyArray<unknown>
/** `now` in Unix seconds. */
type Method = (blocks: Blocks, params: Params, now: bigint) => Reply<unknown>

/** The tip nodes suggest where no transaction pays one. */
const suggestedTip = 1_000_000_000n

const invalidArgument = (position: number, what: string) =>
  refuse(invalidParams, `invalid argument ${position}: not ${what}`)

/** Returns the block that a tag or number names; the latest when there is none. */
const findBlock = (blocks: Blocks, tag: unknown): Block | undefined => {
  switch (tag) {
    case undefined:
    case null:
    case "latest":
    case "pending":
    case "safe":
    case "finalized":
      return blocks.head
    case "earliest":
      return blockAt(blocks, 0n)
    default: {
      const number = toNumber(tag)
      return number === undefined ? undefined : blockAt(blocks, number)
    }
  }
}

/** Runs with the block a parameter names, or refuses as geth does when it does not have that block. */
const atBlock = (blocks: Blocks, tag: unknown, answer: (block: Block) => Reply<unknown>): Reply<unknown> => {
  const block = findBlock(blocks, tag)
  return block === undefined ? refuse(serverError, "header not found") : answer(block)
}

const envOf = (block: Block, tag: unknown, now: bigint) =>
  tag === "pending"
    ? Execution.envOf(block.number + 1n, timestampAfter(block, now))
    : Execution.envOf(block.number, block.timestamp)

const ofAddress = (params: Params, answer: (address: NonNullable<ReturnType<typeof toAddress>>) => Reply<unknown>) => {
  const address = toAddress(params[0])
  return address === undefined ? invalidArgument(0, "an address") : answer(address)
}

const ofHash = (params: Params, answer: (hash: NonNullable<ReturnType<typeof toHash>>) => unknown): Reply<unknown> => {
  const hash = toHash(params[0])
  return hash === undefined ? invalidArgument(0, "a hash") : Result.succeed(answer(hash))
}

type Simulation = (...call: Parameters<typeof Execution.call>) => Reply<Hex | bigint>

const ofMessage = (simulate: Simulation): Method => (blocks, params, now) => {
  const message = toMessage(params[0])
  if (message === undefined) return invalidArgument(0, "a call")
  return atBlock(
    blocks,
    params[1],
    (block) =>
      Result.map(
        simulate(block.world, envOf(block, params[1], now), message),
        (result) => typeof result === "bigint" ? quantity(result) : result
      )
  )
}

const pendingBlock = (blocks: Blocks, now: bigint) => {
  const timestamp = timestampAfter(blocks.head, now)
  const { done, gasUsed } = fill(blocks, timestamp)
  return {
    ...{
      number: quantity(blocks.head.number + 1n),
      hash: null,
      parentHash: blocks.head.hash,
      timestamp: quantity(timestamp)
    },
    ...{
      baseFeePerGas: quantity(nextBaseFee(blocks)),
      gasLimit: quantity(blocks.blockGasLimit),
      gasUsed: quantity(gasUsed)
    },
    transactions: done.map(({ transaction }) => transaction.hash)
  }
}

const methods: Readonly<Record<string, Method>> = {
  eth_chainId: ({ chainId }) => Result.succeed(quantity(chainId)),
  eth_blockNumber: ({ head }) => Result.succeed(quantity(head.number)),
  eth_gasPrice: (blocks) => Result.succeed(quantity(nextBaseFee(blocks) + suggestedTip)),
  eth_maxPriorityFeePerGas: () => Result.succeed(quantity(suggestedTip)),
  eth_getBlockByNumber: (blocks, [tag, whole], now) => {
    if (tag === "pending") return Result.succeed(pendingBlock(blocks, now))
    const block = findBlock(blocks, tag)
    return Result.succeed(block === undefined ? null : Wire.block(block, blocks.blockGasLimit, whole === true))
  },
  eth_getBalance: (blocks, params) =>
    ofAddress(
      params,
      (address) =>
        atBlock(blocks, params[1], ({ world }) =>
          Result.succeed(quantity(ChainState.slot(world, ChainState.native(address)))))
    ),
  eth_getTransactionCount: (blocks, params) =>
    ofAddress(params, (address) =>
      params[1] === "pending"
        ? Result.succeed(quantity(Mempool.pendingNonce(blocks.mempool, blocks.head.world, address)))
        : atBlock(
          blocks,
          params[1],
          ({ world }) => Result.succeed(quantity(ChainState.slot(world, ChainState.nonce(address))))
        )),
  eth_call: ofMessage(Execution.call),
  eth_estimateGas: ofMessage(Execution.estimate),
  eth_feeHistory: (blocks, [count, newest, percentiles]) => {
    const wanted = toNumber(count)
    if (wanted === undefined || wanted === 0n) return invalidArgument(0, "a number of blocks")
    return atBlock(blocks, newest, (last) => {
      const first = last.number + 1n > wanted ? last.number + 1n - wanted : 0n
      const requested = Array.from(
        { length: Number(last.number - first) + 1 },
        (_, index) => blockAt(blocks, first + BigInt(index))
      )
      const shares = Array.isArray(percentiles) ? percentiles.filter((one) => typeof one === "number") : []
      return Result.succeed(Wire.feeHistory(blocks, requested.filter((block) => block !== undefined), shares))
    })
  },
  eth_getTransactionReceipt: (blocks, params) =>
    ofHash(params, (hash) => {
      const mined = minedAs(blocks, hash)
      return mined === undefined ? null : Wire.receipt(mined)
    }),
  eth_getTransactionByHash: (blocks, params) =>
    ofHash(params, (hash) => {
      const mined = minedAs(blocks, hash)
      const signed = mined?.transaction ?? Mempool.find(blocks.mempool, hash)
      return signed === undefined ? null : { ...Wire.transaction(signed, mined), ...Wire.signature(signed) }
    })
}

/** Answers any method except sending a transaction. `now` in Unix seconds. */
export const read = (blocks: Blocks, method: string, params: Params, now: bigint): Reply<unknown> => {
  const found = methods[method]
  return found === undefined
    ? refuse(methodNotFound, `the method ${method} does not exist/is not available`)
    : found(blocks, params, now)
}
