/** Finds the pools of a pair at an exchange, and reads their prices. */
import type { Address } from "@vault-trader/core/chain/Address"
import { type Dex, hasTickSpacing } from "@vault-trader/core/liquidity/Dex"
import * as Result from "effect/Result"
import { parseAbi, zeroAddress } from "viem"
import type * as Dexes from "../address-book/Dex.ts"
import * as Contract from "../chain/Contract.ts"
import { ordered, type Pair } from "./Range.ts"

const byFeeAbi = parseAbi(["function getPool(address, address, uint24) view returns (address)"])
const bySpacingAbi = parseAbi(["function getPool(address, address, int24) view returns (address)"])
/** The first values of `slot0` are the same everywhere; those after them differ in number and size. */
export const poolAbi = parseAbi([
  "function slot0() view returns (uint160 sqrtPriceX96, int24 tick)",
  "function liquidity() view returns (uint128)",
  "function fee() view returns (uint24)",
  "function tickSpacing() view returns (int24)"
])

/** The fees, or tick spacings, of the pools that are looked for. */
const keysOf: Readonly<Record<Dex, ReadonlyArray<number>>> = {
  uniswapV3: [100, 500, 3000, 10000],
  velodromeCl: [1, 10, 50, 100, 200, 500, 2000],
  pancakeCl: [100, 500, 2500, 10000]
}

export interface Pool {
  readonly address: Address
  /** The fee or the tick spacing that distinguishes it from the pair's other pools. */
  readonly key: number
  /** Hundredths of a basis point. */
  readonly fee: number
  readonly spacing: number
  /** Square root of token1's smallest units per token0's, in Q96 format. */
  readonly sqrtPrice: bigint
}

/** The pool that a caller names: its exchange, its fee or its tick spacing. */
export interface PoolChoice {
  readonly dex?: Dex | undefined
  readonly feeTier?: number | undefined
  readonly tickSpacing?: number | undefined
}

/** Returns the fee or the tick spacing that is named. */
export const keyOf = ({ feeTier, tickSpacing }: PoolChoice) => feeTier ?? tickSpacing

/** Builds the reads of the addresses of a pair's pools. */
export const poolReads = ({ dex }: Dexes.DexContracts, factory: Address, pair: Pair, choice: PoolChoice) => {
  const [token0, token1] = ordered(pair)
  const key = keyOf(choice)
  return [...new Set([...keysOf[dex], ...(key === undefined ? [] : [key])])].map((each) => ({
    key: each,
    read: Contract.read(
      hasTickSpacing(dex) ? bySpacingAbi : byFeeAbi,
      factory,
      "getPool",
      [token0.address, token1.address, each]
    )
  }))
}

/** Returns the pools that exist, from the answers to `poolReads`. */
export const found = (
  keys: ReadonlyArray<{ readonly key: number }>,
  addresses: ReadonlyArray<Result.Result<string, unknown>>
) =>
  keys.flatMap(({ key }, index) => {
    const address = addresses[index]
    return address !== undefined && Result.isSuccess(address) && address.success !== zeroAddress
      ? [{ key, address: Contract.lower(address.success) }]
      : []
  })

type FoundPools = ReturnType<typeof found>

/** Builds the reads of pools' states. */
export const stateReads = (pools: FoundPools) =>
  pools.flatMap(({ address }) => [
    Contract.read(poolAbi, address, "slot0", []),
    Contract.read(poolAbi, address, "liquidity", []),
    Contract.read(poolAbi, address, "tickSpacing", []),
    Contract.read(poolAbi, address, "fee", [])
  ])

/** Returns the pools that have a price, the one with the most active liquidity first. */
export const poolsOf = (
  pools: FoundPools,
  states: ReadonlyArray<Result.Result<unknown, unknown>>
): ReadonlyArray<Pool> =>
  pools.flatMap((pool, index) => {
    const [slot, liquidity, spacing, fee] = states.slice(index * 4, index * 4 + 4) as [
      Result.Result<readonly [bigint, number], unknown>,
      Result.Result<bigint, unknown>,
      Result.Result<number, unknown>,
      Result.Result<number, unknown>
    ]
    return Result.isSuccess(slot) && slot.success[0] > 0n && Result.isSuccess(liquidity) &&
        Result.isSuccess(spacing) && Result.isSuccess(fee)
      ? [{
        ...pool,
        fee: fee.success,
        spacing: spacing.success,
        sqrtPrice: slot.success[0],
        depth: liquidity.success
      }]
      : []
  }).sort((one, other) => one.depth < other.depth ? 1 : one.depth > other.depth ? -1 : 0)
