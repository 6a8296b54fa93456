/**
 * Reads what planning liquidity needs: the exchange, the pair's pools, the vault's positions and allowances, and every
 * reason to refuse.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { explain } from "@vault-trader/core/failure/Explanation"
import { type ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { type Dex, hasTickSpacing } from "@vault-trader/core/liquidity/Dex"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseAbi, zeroAddress } from "viem"
import * as ChainTime from "../chain/ChainTime.ts"
import * as Contract from "../chain/Contract.ts"
import { readConfirmedGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20 } from "../chain/Tokens.ts"
import type { VaultContext } from "../vault/Action.ts"
import * as ContractGuard from "../platform/ContractGuard.ts"
import { managerLogicAbi } from "../platform/PlatformAbi.ts"
import type { Amounts } from "./Amounts.ts"
import * as Dexes from "../address-book/Dex.ts"
import { found, keyOf, type Pool, type PoolChoice, poolReads, poolsOf, stateReads } from "./PairPools.ts"
import { positionManagerAbi } from "./PositionManager.ts"
import { ordered, type Pair } from "./Range.ts"

const managerAbi = parseAbi(["function factory() view returns (address)"])
const guardAbi = parseAbi(["function getOwnedTokenIds(address) view returns (uint256[])"])
/** A position that the platform tracks as the vault's. */
export interface Position {
  readonly tokenId: bigint
  readonly token0: Address
  readonly token1: Address
  /** The fee or the tick spacing of its pool. */
  readonly key: number
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
  /** The contract that it is staked in. */
  readonly staking: Address | undefined
}

/** A pair at one exchange. */
export interface PairLiquidity {
  readonly exchange: Dexes.DexContracts
  /** True when the position manager is enabled as an asset of the vault. */
  readonly enabled: boolean
  /** Deadline of a transaction planned on this data, unix seconds. */
  readonly deadline: bigint
  readonly positions: ReadonlyArray<Position>
  /** The manager's allowances of the pair's tokens, in the pool's order. */
  readonly allowances: Amounts
  /** The pools of the pair, the one with the most active liquidity first. */
  readonly pools: ReadonlyArray<Pool>
}

/** Returns the exchanges that a request may use; fails when the network has none of them. */
const exchangesFor = ({ chain, network }: VaultContext, { dex, feeTier, tickSpacing }: PoolChoice) => {
  const known = Dexes.of(chain.book)
  if (dex !== undefined && known.every((each) => each.dex !== dex)) {
    return explain({ _tag: "DexNotAvailable", dex, network })
  }
  const usable = known.filter((each) =>
    (dex === undefined || each.dex === dex) &&
    (hasTickSpacing(each.dex) ? feeTier === undefined : tickSpacing === undefined)
  )
  return usable.length === 0 ? explain({ _tag: "LiquidityNotAvailable", network }) : Effect.succeed(usable)
}

/** Reads the pair at one exchange; undefined when the platform does not guard its position manager. */
const readAt = (context: VaultContext, pair: Pair, exchange: Dexes.DexContracts, choice: PoolChoice) =>
  Effect.gen(function*() {
    const { chain, facts, pool: vault } = context
    const { manager } = exchange
    const [token0, token1] = ordered(pair)
    const early = exchange.factory === undefined ? [] : poolReads(exchange, exchange.factory, pair, choice)
    const [[guard, enabled, allowance0, allowance1, chainTime], [factory], earlyAddresses] = yield* readConfirmedGroups(
      chain,
      [
        [
          ContractGuard.read(chain.book, manager),
          Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [manager]),
          Contract.read(erc20, token0.address, "allowance", [vault, manager]),
          Contract.read(erc20, token1.address, "allowance", [vault, manager]),
          ChainTime.read(chain)
        ],
        exchange.factory === undefined ? [Contract.read(managerAbi, manager, "factory", [])] : [],
        early.map(({ read }) => read)
      ]
    )
    if (Result.isFailure(guard) || guard.success === zeroAddress) return undefined
    const deadline = yield* ChainTime.deadline(chainTime)
    // Without it the vault can neither have nor make positions there.
    if (!Result.getOrElse(enabled, () => false)) {
      return {
        exchange,
        deadline,
        enabled: false,
        positions: [],
        allowances: [0n, 0n],
        pools: []
      } satisfies PairLiquidity
    }
    const late = factory !== undefined && Result.isSuccess(factory)
      ? poolReads(exchange, Contract.lower(factory.success), pair, choice)
      : []
    const earlyPools = found(early, earlyAddresses)
    const [[owned], lateAddresses, earlyStates] = yield* readConfirmedGroups(chain, [
      [Contract.read(guardAbi, Contract.lower(guard.success), "getOwnedTokenIds", [vault])],
      late.map(({ read }) => read),
      stateReads(earlyPools)
    ])
    const tokenIds = Result.getOrElse(owned, (): ReadonlyArray<bigint> => [])
    const latePools = found(late, lateAddresses)
    const [positions, owners, lateStates] = yield* readConfirmedGroups(chain, [
      tokenIds.map((tokenId) => Contract.read(positionManagerAbi, manager, "positions", [tokenId])),
      tokenIds.map((tokenId) => Contract.read(positionManagerAbi, manager, "ownerOf", [tokenId])),
      stateReads(latePools)
    ])
    return {
      exchange,
      deadline,
      enabled: true,
      positions: tokenIds.flatMap((tokenId, index) =>
        positionOf(context, exchange, tokenId, positions[index]!, owners[index]!)
      ),
      allowances: [Result.getOrElse(allowance0, () => 0n), Result.getOrElse(allowance1, () => 0n)],
      pools: exchange.factory === undefined ? poolsOf(latePools, lateStates) : poolsOf(earlyPools, earlyStates)
    } satisfies PairLiquidity
  })

type PositionAnswer = Result.Result<
  readonly [bigint, string, string, string, number, number, number, bigint, ...ReadonlyArray<bigint>],
  unknown
>

/** Returns a position that the vault owns or has staked: the platform tracks a token after the vault has lost it. */
const positionOf = (
  { pool }: VaultContext,
  { staking }: Dexes.DexContracts,
  tokenId: bigint,
  position: PositionAnswer,
  owner: Result.Result<string, unknown>
): ReadonlyArray<Position> => {
  if (Result.isFailure(position) || Result.isFailure(owner)) return []
  const holder = Contract.lower(owner.success)
  if (holder !== pool && !staking.includes(holder)) return []
  const [, , token0, token1, key, tickLower, tickUpper, liquidity] = position.success
  return [{
    ...{ tokenId, key, tickLower, tickUpper, liquidity },
    token0: Contract.lower(token0),
    token1: Contract.lower(token1),
    staking: holder === pool ? undefined : holder
  }]
}

/**
 * Reads everything about the pair at the exchanges that the platform allows, in their order. Each reason to refuse has
 * its own failure.
 */
const readAll = (context: VaultContext, pair: Pair, choice: PoolChoice) =>
  Effect.gen(function*() {
    const exchanges = yield* exchangesFor(context, choice)
    const read = yield* Effect.mapError(
      Effect.forEach(exchanges, (exchange) => readAt(context, pair, exchange, choice), { concurrency: "unbounded" }),
      unavailable
    )
    const allowed = read.filter((each) => each !== undefined)
    const [first] = allowed
    return first === undefined
      ? yield* explain({ _tag: "LiquidityNotAllowed", network: context.network, dex: choice.dex ?? null })
      : [first, ...allowed.slice(1)] as const
  })

/** Returns the exchanges that the vault has enabled; fails when there are none. */
const enabledAmong = (
  { facts }: VaultContext,
  allowed: readonly [PairLiquidity, ...ReadonlyArray<PairLiquidity>]
) => {
  const enabled = allowed.filter((each) => each.enabled)
  const [{ exchange: { dex, manager: address } }] = allowed
  return enabled.length === 0
    ? explain({ _tag: "PositionManagerNotEnabled", address, dex, byTrader: facts.traderChangesAssets ?? null })
    : Effect.succeed(enabled)
}

/**
 * Chooses where a deposit goes: among the exchanges that the vault has enabled, the first with the pool that is wanted.
 */
export const readForDeposit = (context: VaultContext, pair: Pair, choice: PoolChoice) =>
  Effect.gen(function*() {
    const allowed = yield* readAll(context, pair, choice)
    const key = keyOf(choice)
    const [chosen] = (yield* enabledAmong(context, allowed)).flatMap((at) => {
      const pool = key === undefined ? at.pools[0] : at.pools.find((each) => each.key === key)
      return pool === undefined ? [] : [{ at, pool }]
    })
    return chosen ?? (yield* noPool(context, pair, choice))
  })

const noPool = ({ network }: VaultContext, { first, second }: Pair, { feeTier, tickSpacing }: PoolChoice) =>
  explain({
    _tag: "PoolNotFound",
    first: first.symbol,
    second: second.symbol,
    network,
    fee: feeTier ?? null,
    tickSpacing: tickSpacing ?? null
  })

/** Finds a position of the pair by its token. Ids of two exchanges may be the same: then the caller has to name one. */
export const readPosition = (
  context: VaultContext,
  pair: Pair,
  { dex, tokenId }: { readonly dex?: Dex | undefined; readonly tokenId: bigint }
): Effect.Effect<
  { readonly at: PairLiquidity; readonly position: Position; readonly pool: Pool },
  ExecutionFailure | ValidationFailure
> =>
  Effect.gen(function*() {
    const [token0, token1] = ordered(pair)
    const matches = (yield* enabledAmong(context, yield* readAll(context, pair, { dex }))).flatMap((at) =>
      at.positions.filter((each) =>
        each.tokenId === tokenId && each.token0 === token0.address && each.token1 === token1.address
      ).map((position) => ({ at, position }))
    )
    const [match, other] = matches
    if (match === undefined) {
      return yield* explain({
        _tag: "LiquidityPositionNotFound",
        tokenId: String(tokenId),
        first: pair.first.symbol,
        second: pair.second.symbol
      })
    }
    if (other !== undefined) {
      return yield* new ValidationFailure({
        code: "1010",
        message:
          `dex: the vault has a position ${tokenId} at ${match.at.exchange.dex} and at ${other.at.exchange.dex}; ` +
          "name one of them"
      })
    }
    const { exchange } = match.at
    const { key } = match.position
    const pool = match.at.pools.find((each) => each.key === key)
    if (pool !== undefined) return { ...match, pool }
    // Positions may be in pools of unusual tick spacings or fees.
    const choice = { dex: exchange.dex, ...(hasTickSpacing(exchange.dex) ? { tickSpacing: key } : { feeTier: key }) }
    const [{ pools }] = yield* readAll(context, pair, choice)
    const unusual = pools.find((each) => each.key === key)
    return unusual === undefined ? yield* noPool(context, pair, choice) : { ...match, pool: unusual }
  })
