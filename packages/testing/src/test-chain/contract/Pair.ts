/** Swaps through pools: constant product, with the fee taken from the input. */
import { toEventSelector } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Log } from "../Message.ts"
import * as AbiWords from "../AbiWords.ts"
import type { Pair, World } from "../ChainState.ts"
import { pairOf } from "../ChainState.ts"

const swapTopic = toEventSelector("Swap(address,address,int256,int256,uint160,uint128,int24)")

export interface Swapped {
  readonly amountOut: bigint
  readonly pair: Pair
}

/** Returns what `amountIn` buys, and the pool afterwards. */
export const swap = (pair: Pair, tokenIn: Address, amountIn: bigint): Swapped => {
  const zeroForOne = tokenIn === pair.token0
  const [reserveIn, reserveOut] = zeroForOne ? [pair.reserve0, pair.reserve1] : [pair.reserve1, pair.reserve0]
  const inLessFee = amountIn * BigInt(1_000_000 - pair.fee) / 1_000_000n
  const amountOut = reserveOut * inLessFee / (reserveIn + inLessFee)
  const [nextIn, nextOut] = [reserveIn + inLessFee, reserveOut - amountOut]
  return {
    amountOut,
    pair: { ...pair, reserve0: zeroForOne ? nextIn : nextOut, reserve1: zeroForOne ? nextOut : nextIn }
  }
}

/** Approximates the price, accurately enough for logs and quotes that enter no computation. */
export const sqrtPriceX96 = ({ reserve0, reserve1 }: Pair): bigint =>
  reserve0 === 0n ? 0n : BigInt(Math.floor(Math.sqrt(Number(reserve1) / Number(reserve0)) * 2 ** 96))

export const swapLog = (pair: Pair, sender: Address, recipient: Address, amount0: bigint, amount1: bigint): Log => {
  const ratio = Number(pair.reserve1) / Number(pair.reserve0)
  const liquidity = BigInt(Math.floor(Math.sqrt(Number(pair.reserve0)) * Math.sqrt(Number(pair.reserve1))))
  const tick = BigInt(Math.floor(Math.log(ratio) / Math.log(1.0001)))
  return {
    address: pair.address,
    topics: [swapTopic, AbiWords.hex(AbiWords.address(sender)), AbiWords.hex(AbiWords.address(recipient))],
    data: AbiWords.hex(
      AbiWords.int(amount0),
      AbiWords.int(amount1),
      AbiWords.uint(sqrtPriceX96(pair)),
      AbiWords.uint(liquidity),
      AbiWords.int(tick)
    )
  }
}

export interface Hop {
  readonly tokenIn: Address
  readonly fee: number
  readonly tokenOut: Address
}

/** Decodes the hops of a path: token, fee, token, fee, token …; returns `undefined` when it is malformed. */
export const hops = (path: Hex): ReadonlyArray<Hop> | undefined => {
  const body = path.slice(2)
  const count = (body.length - 40) / 46
  if (!Number.isInteger(count) || count < 1) return undefined
  return Array.from({ length: count }, (_, index): Hop => {
    const at = index * 46
    return {
      tokenIn: `0x${body.slice(at, at + 40)}`,
      fee: Number.parseInt(body.slice(at + 40, at + 46), 16),
      tokenOut: `0x${body.slice(at + 46, at + 86)}`
    }
  })
}

export const pairFor = (world: World, { fee, tokenIn, tokenOut }: Hop): Pair | undefined =>
  pairOf(world, tokenIn, tokenOut, fee)
