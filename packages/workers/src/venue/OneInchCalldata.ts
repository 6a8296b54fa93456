/** Calldata of 1inch's aggregation router V6: `swap`, and `unoswap` with one word for each pool. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { parseAbi, toHex } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import * as Contract from "../chain/Contract.ts"
import type { EditableSwap } from "./AggregatorCalldata.ts"
import type { Swap } from "./Venue.ts"

const routerAbi = parseAbi([
  "struct SwapDescription { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }",
  "function swap(address executor, SwapDescription desc, bytes data) payable returns (uint256 returnAmount, uint256 spentAmount)",
  "function unoswap(uint256 token, uint256 amount, uint256 minReturn, uint256 dex) returns (uint256 returnAmount)",
  "function unoswap2(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2) returns (uint256 returnAmount)",
  "function unoswap3(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2, uint256 dex3) returns (uint256 returnAmount)"
])

/** Refused flags of `swap`: partial fill, native token required, transfer through Permit2. */
const unsupportedSwapFlags = 0b111n

/** Refused flags of a leg of `unoswap`: unwrapped output, native token input, transfer through Permit2. */
const unsupportedPoolFlags = 0b111n << 250n
/** Supported pool kinds: Uniswap V2 and V3. Other kinds name their tokens differently. */
const poolKinds: ReadonlyArray<bigint> = [0n, 1n]
const isPlain = (leg: bigint) => (leg & unsupportedPoolFlags) === 0n && poolKinds.includes(leg >> 253n)

/** Returns the pool of a leg. */
export const poolOf = (leg: bigint): Address => toHex(leg & (2n ** 160n - 1n), { size: 20 })
const sellsToken0 = (leg: bigint) => (leg >> 247n & 1n) === 1n

/** Returns the legs of an `unoswap` in order; empty for other calls. */
export const legsOf = (data: Hex): ReadonlyArray<bigint> => {
  const call = Calldata.readLoosely(routerAbi, data)
  return call === undefined || call.functionName === "swap" ? [] : call.args.slice(3)
}

/** Decodes a swap of the router; `undefined` for calls that this service does not make. */
export const decode = (data: Hex): Swap | undefined => {
  const call = Calldata.read(routerAbi, data)
  if (call === undefined) return undefined
  if (call.functionName === "swap") {
    const [, { amount, dstReceiver, dstToken, flags, minReturnAmount, srcToken }] = call.args
    return (flags & unsupportedSwapFlags) !== 0n || amount === 0n ? undefined : {
      tokenIn: Contract.lower(srcToken),
      amountIn: amount,
      tokenOut: Contract.lower(dstToken),
      minOut: minReturnAmount,
      receiver: Contract.lower(dstReceiver)
    }
  }
  const [token, amountIn, minOut] = call.args
  if (amountIn === 0n || token >= 2n ** 160n || !legsOf(data).every(isPlain)) return undefined
  return { tokenIn: toHex(token, { size: 20 }), amountIn, tokenOut: null, minOut, receiver: null }
}

/** Returns the swap with its minimum to be raised; `undefined` for other calls. */
export const draftOf = (data: Hex): EditableSwap | undefined => {
  const call = Calldata.readLoosely(routerAbi, data)
  switch (call?.functionName) {
    case "swap": {
      const [executor, desc, inner] = call.args
      return {
        minOut: desc.minReturnAmount,
        withMinOut: (minReturnAmount) =>
          Calldata.encode({
            abi: routerAbi,
            functionName: "swap",
            args: [executor, { ...desc, minReturnAmount }, inner]
          })
      }
    }
    case "unoswap": {
      const [token, amount, minOut, ...legs] = call.args
      return {
        minOut,
        withMinOut: (minOut) =>
          Calldata.encode({ abi: routerAbi, functionName: "unoswap", args: [token, amount, minOut, ...legs] })
      }
    }
    case "unoswap2": {
      const [token, amount, minOut, ...legs] = call.args
      return {
        minOut,
        withMinOut: (minOut) =>
          Calldata.encode({ abi: routerAbi, functionName: "unoswap2", args: [token, amount, minOut, ...legs] })
      }
    }
    case "unoswap3": {
      const [token, amount, minOut, ...legs] = call.args
      return {
        minOut,
        withMinOut: (minOut) =>
          Calldata.encode({ abi: routerAbi, functionName: "unoswap3", args: [token, amount, minOut, ...legs] })
      }
    }
    default:
      return undefined
  }
}

/** The kind of a Uniswap V3 pool in a leg. */
const uniswapV3Kind = 1n

/** Encodes a leg through a Uniswap V3 pool: the pool, its kind, and whether the pool's first token is sold. */
export const legOf = (pool: Address, sellsFirst: boolean): bigint =>
  uniswapV3Kind << 253n | (sellsFirst ? 1n : 0n) << 247n | BigInt(pool)

/** Encodes the sale through one or two pools. The output goes to the caller, which is the vault. */
export const encodeUnoswap = (
  sold: Address,
  amountIn: bigint,
  minOut: bigint,
  [first = 0n, second]: ReadonlyArray<bigint>
): Hex =>
  second === undefined
    ? Calldata.encode({ abi: routerAbi, functionName: "unoswap", args: [BigInt(sold), amountIn, minOut, first] })
    : Calldata.encode({
      abi: routerAbi,
      functionName: "unoswap2",
      args: [BigInt(sold), amountIn, minOut, first, second]
    })

/** The tokens of a pool; `undefined` for one that is unknown. */
type PoolTokens = (pool: Address) => readonly [token0: Address, token1: Address] | undefined

/**
 * Returns the token bought by selling through these pools in order; `undefined` when a pool does not trade its input
 * token.
 */
export const outputOf = (sold: Address, legs: ReadonlyArray<bigint>, tokensOf: PoolTokens): Address | undefined =>
  legs.reduce<Address | undefined>((token, leg) => {
    const [token0, token1] = tokensOf(poolOf(leg)) ?? []
    const [takes, pays] = sellsToken0(leg) ? [token0, token1] : [token1, token0]
    return token !== undefined && takes === token ? pays : undefined
  }, sold)
