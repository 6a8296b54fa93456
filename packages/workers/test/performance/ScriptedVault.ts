/** A chain whose blocks say what one vault holds, as a test writes them. */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { decodeFunctionData, encodeFunctionResult } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import type * as Contract from "../../src/chain/Contract.ts"
import { multicall3Abi } from "../../src/chain/Multicall3.ts"
import { RpcRefused, RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import { erc20 } from "../../src/chain/Tokens.ts"
import { factoryAbi, managerLogicAbi, poolAbi } from "../../src/platform/PlatformAbi.ts"

export const vault: Address = "0x00000000000000000000000000000000000000f1"
const logic: Address = "0x00000000000000000000000000000000000000f2"
const dollar: Address = "0x00000000000000000000000000000000000000f3"
const one = 10n ** 18n
const abi = [...factoryAbi, ...managerLogicAbi, ...poolAbi, ...multicall3Abi, ...erc20]

/** The vault platform's answers at a block. */
interface State {
  /** Whole dollars. */
  readonly value: bigint
  readonly supply: bigint
  readonly owed: bigint
  /** The total that the platform states instead of the sum, in whole dollars. */
  readonly total: bigint | undefined
}

type Answer =
  | bigint
  | boolean
  | number
  | string
  | undefined
  | ReadonlyArray<{ readonly asset: Address; readonly isDeposit: boolean }>

/** Seconds from block to block, and the time of block 0. */
export const pace = 10
export const genesis = Math.floor(Date.UTC(2024, 0, 1) / 1_000)

export const make = (network: "base" | "optimism") =>
  Effect.gen(function*() {
    const { book } = yield* TestChain.make({ network })
    const control = {
      head: 0,
      final: 0,
      /** The first block whose state the node has. */
      oldest: 0,
      /** The first block at which the vault exists. */
      created: 0,
      /** The blocks from this one on have another hash. */
      forked: Number.MAX_SAFE_INTEGER,
      fork: 0,
      isDown: false,
      /** The calls of contracts so far. */
      calls: 0
    }
    const states = new Map<number, Partial<State>>()
    const first: State = { value: 1_000n, supply: 1_000n, owed: 0n, total: undefined }
    const stateAt = (block: number): State => {
      const known = [...states].filter(([from]) => from <= block).sort(([from], [to]) => from - to)
      return known.reduce<State>((state, [, each]) => ({ ...state, ...each }), first)
    }
    const hashOf = (block: number): Hash =>
      `0x${(block >= control.forked ? control.fork : 0).toString(16).padStart(8, "0")}${
        block.toString(16).padStart(56, "0")
      }`
    const timeOf = (block: number) => genesis + block * pace

    const valueOf = (name: string, args: ReadonlyArray<unknown>, block: number): Answer => {
      const { owed, supply, total, value } = stateAt(block)
      switch (name) {
        case "isPool":
          return String(args[0]).toLowerCase() === vault
        case "poolManagerLogic":
          return logic
        case "getSupportedAssets":
          return block < control.created ? undefined : [{ asset: dollar, isDeposit: true }]
        case "assetBalance":
          return value * 10n ** 6n
        case "assetDecimal":
        case "decimals":
          return name === "decimals" ? 6 : 6n
        case "assetValue":
          return value * one
        case "totalFundValue":
          return (total ?? value) * one
        case "getAssetPrice":
          return one
        case "getAssetType":
          return 0
        case "totalSupply":
          return supply * one
        case "tokenPrice":
          return supply + owed === 0n ? 0n : value * one / (supply + owed)
        case "symbol":
          return "USDC"
        case "getBlockNumber":
          return BigInt(block)
        default:
          throw new Error(`an unexpected read: ${name}`)
      }
    }
    const answered = (block: number) => (read: Contract.Read<unknown>) => {
      const { args, functionName } = decodeFunctionData({ abi, data: read.data })
      const result = valueOf(functionName, args ?? [], block)
      return result === undefined
        ? Result.fail({ data: undefined, reason: "reverted" })
        : read.decode(encodeFunctionResult({ abi, functionName, result }))
    }

    const up = <A>(effect: () => Effect.Effect<A, RpcRefused>) =>
      Effect.suspend((): Effect.Effect<A, RpcRefused | RpcUnavailable> =>
        control.isDown ? new RpcUnavailable({ network, reason: "no answer" }) : effect()
      )
    const read = (reads: Contract.Reads, block?: bigint) =>
      up(() => {
        control.calls++
        const number = block === undefined ? control.head : Number(block)
        return number < control.oldest || number > control.head
          ? new RpcRefused({ code: -32000, reason: "missing trie node" })
          : Effect.succeed(reads.map(answered(number)))
      })
    const chain = {
      book: book(),
      readAll: read,
      readConfirmed: read,
      readToKeep: (reads: Contract.Reads) => Effect.map(read(reads), (results) => ({ results, isAlone: false })),
      head: up(() => Effect.succeed({ number: BigInt(control.head), time: timeOf(control.head) })),
      finalBlock: up(() => Effect.succeed(BigInt(control.final))),
      blockTime: (block: bigint) => up(() => Effect.succeed(timeOf(Number(block)))),
      blockHash: (block: bigint) => up(() => Effect.succeed(hashOf(Number(block))))
    } as unknown as ChainClient
    return {
      chain,
      control,
      /** Sets what the vault platform says from a block on. */
      from: (block: number, state: Partial<State>) => states.set(block, state),
      /** Makes blocks; those up to `behind` the head are final. */
      mine: (blocks: number, behind = 0) => {
        control.head += blocks
        control.final = control.head - behind
      },
      /** Replaces the blocks from this one on. */
      reorganise: (block: number) => {
        control.forked = block
        control.fork++
      }
    }
  })
