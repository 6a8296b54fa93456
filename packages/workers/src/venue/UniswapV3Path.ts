/** Paths through Uniswap V3's pools: direct ones, and those with one hop over a well-known token. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { concatHex, encodeAbiParameters, getContractAddress, keccak256, numberToHex } from "viem"
import * as Contract from "../chain/Contract.ts"
import type { QuoteRequest } from "./Venue.ts"

/** Pool fees in hundredths of a basis point. */
const fees = [100, 500, 3000, 10000] as const
/** The fees of pools that a path with a hop uses. */
const hopFees = [100, 500, 3000] as const

/** Symbols of tokens with deep pools, besides the wrapped native token. */
const wellKnown: ReadonlySet<string> = new Set(["USDC", "USDT", "WETH"])

export interface Hop {
  readonly fee: number
  readonly to: { readonly address: Address; readonly symbol: string }
}
export type Path = ReadonlyArray<Hop>

/** Encodes a path as Uniswap's router and quoter read it: tokens, and the fees between them. */
export const encode = (from: Address, path: Path): Hex =>
  concatHex([from, ...path.flatMap(({ fee, to }) => [numberToHex(fee, { size: 3 }), to.address])])

/** Returns the paths to quote: each fee directly, and each pair of common fees over each intermediate token. */
export const candidates = ({ chain, tokenIn, tokenOut }: QuoteRequest): ReadonlyArray<Path> => {
  const direct = fees.map((fee) => [{ fee, to: tokenOut }])
  const middles = chain.book.tokens.filter(({ address, symbol }) =>
    (wellKnown.has(symbol.toUpperCase()) || address === chain.book.wrappedNative) &&
    address !== tokenIn.address && address !== tokenOut.address
  )
  const hops = middles.flatMap((middle) =>
    hopFees.flatMap((first) => hopFees.map((second) => [{ fee: first, to: middle }, { fee: second, to: tokenOut }]))
  )
  return [...direct, ...hops]
}

/** Returns the route for display: symbols and pool fees in turn. */
export const routeOf = (from: { readonly symbol: string }, path: Path): ReadonlyArray<string> => [
  from.symbol,
  ...path.flatMap(({ fee, to }) => [String(fee), to.symbol])
]

/** A pool of the canonical factory, and the direction in which a path goes through it. */
export interface PoolHop {
  readonly pool: Address
  readonly fee: number
  readonly sold: Address
  readonly bought: Address
}

/** The hash of Uniswap V3's pool code, the same on every network of the original deployment. */
const poolCodeHash = "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"

/** Computes the address at which the factory creates the pool of two tokens and a fee; no node is asked. */
const poolAddress = (factory: Address, first: Address, second: Address, fee: number): Address => {
  const [token0, token1] = first < second ? [first, second] : [second, first]
  const pair = encodeAbiParameters(
    [{ type: "address" }, { type: "address" }, { type: "uint24" }],
    [token0, token1, fee]
  )
  return Contract.lower(
    getContractAddress({ opcode: "CREATE2", from: factory, salt: keccak256(pair), bytecodeHash: poolCodeHash })
  )
}

/** Returns the pools of a path in order. */
export const poolsOf = (factory: Address, from: Address, path: Path): ReadonlyArray<PoolHop> =>
  path.map(({ fee, to }, index) => {
    const sold = path[index - 1]?.to.address ?? from
    return { pool: poolAddress(factory, sold, to.address, fee), fee, sold, bought: to.address }
  })
