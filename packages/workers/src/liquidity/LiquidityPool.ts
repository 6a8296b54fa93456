/**
 * Reads what planning liquidity needs: the pair's pools, the vault's positions and allowances, and every reason to
 * refuse.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { feeTiers } from "@vault-trader/core/liquidity/Liquidity"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseAbi, zeroAddress } from "viem"
import { readGroups } from "../chain/ChainClient.ts"
import * as ChainTime from "../chain/ChainTime.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20 } from "../chain/Tokens.ts"
import type { VaultContext } from "../vault/Action.ts"
import * as ContractGuard from "../platform/ContractGuard.ts"
import { managerLogicAbi } from "../platform/PlatformAbi.ts"
import type { Amounts } from "./Amounts.ts"
import { positionManagerAbi } from "./PositionManager.ts"
import { ordered, type Pair } from "./Range.ts"

const uniswapFactoryAbi = parseAbi(["function getPool(address, address, uint24) view returns (address)"])
const guardAbi = parseAbi(["function getOwnedTokenIds(address) view returns (uint256[])"])
export const poolAbi = parseAbi([
  "function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)",
  "function liquidity() view returns (uint128)",
  "function tickSpacing() view returns (int24)"
])

export interface Pool {
  readonly address: Address
  readonly fee: number
  readonly spacing: number
  /** Square root of token1's smallest units per token0's, in Q96 format. */
  readonly sqrtPrice: bigint
}

/** A position that the platform tracks as the vault's. */
interface Position {
  readonly tokenId: bigint
  readonly token0: Address
  readonly token1: Address
  readonly fee: number
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

interface PairLiquidity {
  /** The position manager. */
  readonly manager: Address
  /** Deadline of a transaction planned on this data, unix seconds. */
  readonly deadline: bigint
  readonly positions: ReadonlyArray<Position>
  /** The manager's allowances of the pair's tokens, in the pool's order. */
  readonly allowances: Amounts
  /** The pools of the pair, the one with the most active liquidity first. */
  readonly pools: ReadonlyArray<Pool>
}

/** Reads everything about the pair that a plan needs. Each reason to refuse has its own failure. */
export const read = (context: VaultContext, pair: Pair): Effect.Effect<PairLiquidity, ExecutionFailure> =>
  Effect.gen(function*() {
    const { chain, facts, network, pool: vault } = context
    const { positionManager: manager, uniswapV3 } = chain.book
    if (manager === undefined || uniswapV3 === undefined) {
      return yield* explain({ _tag: "LiquidityNotAvailable", network })
    }
    const [token0, token1] = ordered(pair)
    const [[enabled, guard, allowance0, allowance1, chainTime], addresses] = yield* Effect.mapError(
      readGroups(chain, [
        [
          Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [manager]),
          ContractGuard.read(chain.book, manager),
          Contract.read(erc20, token0.address, "allowance", [vault, manager]),
          Contract.read(erc20, token1.address, "allowance", [vault, manager]),
          ChainTime.read(chain)
        ],
        feeTiers.map((fee) =>
          Contract.read(uniswapFactoryAbi, uniswapV3.factory, "getPool", [token0.address, token1.address, fee])
        )
      ]),
      unavailable
    )
    if (Result.isFailure(guard) || guard.success === zeroAddress) {
      return yield* explain({ _tag: "LiquidityNotAllowed", network })
    }
    if (!Result.getOrElse(enabled, () => false)) {
      return yield* explain({
        _tag: "PositionManagerNotEnabled",
        address: manager,
        byTrader: facts.traderChangesAssets ?? null
      })
    }
    const existing = feeTiers.flatMap((fee, index) => {
      const address = addresses[index]!
      return Result.isSuccess(address) && address.success !== zeroAddress
        ? [{ fee, address: Contract.lower(address.success) }]
        : []
    })
    const [[owned], slots, liquidities, spacings] = yield* Effect.mapError(
      readGroups(chain, [
        [Contract.read(guardAbi, Contract.lower(guard.success), "getOwnedTokenIds", [vault])],
        existing.map(({ address }) => Contract.read(poolAbi, address, "slot0", [])),
        existing.map(({ address }) => Contract.read(poolAbi, address, "liquidity", [])),
        existing.map(({ address }) => Contract.read(poolAbi, address, "tickSpacing", []))
      ]),
      unavailable
    )
    const pools = existing.flatMap((pool, index) => {
      const [slot, liquidity, spacing] = [slots[index]!, liquidities[index]!, spacings[index]!]
      return Result.isSuccess(slot) && slot.success[0] > 0n && Result.isSuccess(liquidity) && Result.isSuccess(spacing)
        ? [{ ...pool, sqrtPrice: slot.success[0], spacing: spacing.success, depth: liquidity.success }]
        : []
    })
    return {
      manager,
      deadline: yield* ChainTime.deadline(chainTime),
      positions: yield* positionsOf(context, manager, Result.getOrElse(owned, () => [])),
      allowances: [Result.getOrElse(allowance0, () => 0n), Result.getOrElse(allowance1, () => 0n)],
      pools: pools.sort((one, other) => one.depth < other.depth ? 1 : one.depth > other.depth ? -1 : 0)
    }
  })

const positionsOf = (context: VaultContext, manager: Address, tokenIds: ReadonlyArray<bigint>) =>
  tokenIds.length === 0 ? Effect.succeed([]) : Effect.map(
    Effect.mapError(
      readGroups(context.chain, [
        tokenIds.map((tokenId) => Contract.read(positionManagerAbi, manager, "positions", [tokenId])),
        tokenIds.map((tokenId) => Contract.read(positionManagerAbi, manager, "ownerOf", [tokenId]))
      ]),
      unavailable
    ),
    ([positions, owners]) =>
      tokenIds.flatMap((tokenId, index): ReadonlyArray<Position> => {
        const [position, owner] = [positions[index]!, owners[index]!]
        if (
          Result.isFailure(position) || Result.isFailure(owner) || Contract.lower(owner.success) !== context.pool
        ) return []
        const [, , token0, token1, fee, tickLower, tickUpper, liquidity] = position.success
        return [{
          tokenId,
          token0: Contract.lower(token0),
          token1: Contract.lower(token1),
          fee,
          tickLower,
          tickUpper,
          liquidity
        }]
      })
  )

/** Returns the pool of the requested fee, or else the one with the most active liquidity. */
export const poolOf = (
  { network }: VaultContext,
  { pools }: PairLiquidity,
  { first, second }: Pair,
  fee: number | undefined
): Effect.Effect<Pool, ExecutionFailure> => {
  const found = fee === undefined ? pools[0] : pools.find((pool) => pool.fee === fee)
  return found === undefined
    ? explain({ _tag: "PoolNotFound", first: first.symbol, second: second.symbol, network, fee: fee ?? null })
    : Effect.succeed(found)
}
