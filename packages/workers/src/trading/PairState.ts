/** Reads the inputs of a trade's plan in one call at one block: balance, oracle prices, permissions, allowances. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { Platform, VenueName } from "@vault-trader/core/venue/VenueName"
import { names, order } from "@vault-trader/core/venue/VenueName"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ChainTime from "../chain/ChainTime.ts"
import * as Contract from "../chain/Contract.ts"
import { readConfirmedGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20 } from "../chain/Tokens.ts"
import type { VaultContext } from "../vault/Action.ts"
import * as ContractGuard from "../platform/ContractGuard.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"
import { refuseWhilePaused } from "../platform/TradingPause.ts"
import { poolTokenAt } from "../venue/EasySwapper.ts"
import { venues } from "../venue/VenueRegistry.ts"

export interface Market {
  readonly tokenIn: Token
  readonly tokenOut: Token
  /** The vault's balance of `tokenIn`, smallest units. */
  readonly balance: bigint
  /** USD per whole token by the vault's oracle, 18 decimals. */
  readonly priceIn: bigint
  readonly priceOut: bigint
  /** Deadline of a swap planned on this data, unix seconds. */
  readonly deadline: bigint
  /** Venues whose router has a guard of the platform on this network. */
  readonly guarded: ReadonlySet<VenueName>
  /** Allowance of `tokenIn` per router, smallest units. */
  readonly allowances: ReadonlyMap<Address, bigint>
}

/** The vault's facts on which depends who can enable an asset. */
type EnablingFacts = { readonly traderChangesAssets?: boolean | null | undefined }

/** 2006: the asset is not enabled in the vault. */
export const notEnabled = (token: Token, { traderChangesAssets = null }: EnablingFacts) =>
  explain({ _tag: "AssetNotEnabled", symbol: token.symbol, address: token.address, byTrader: traderChangesAssets })

/** 2012: the vault's balance of an asset cannot be read, so an amount cannot be derived from it. */
export const uncounted = (token: Token) =>
  explain({ _tag: "BalanceUnreadable", symbol: token.symbol, address: token.address })

const noOraclePrice = ({ symbol }: Token) => explain({ _tag: "NoOraclePrice", symbol })

/**
 * Reads the market of a pair for one vault. Each reason why the pair cannot be traded fails with its own error type. Two
 * of the network's endpoints must agree, where it has so many: a swap's minimum and its worth follow from these prices.
 */
export const read = (context: VaultContext, tokenIn: Token, tokenOut: Token): Effect.Effect<Market, ExecutionFailure> =>
  Effect.gen(function*() {
    yield* refuseWhilePaused(context)
    const { chain, pool, facts } = context
    const factory = chain.book.platformFactory
    const deployed = routers(context)
    const groups = yield* Effect.mapError(
      readConfirmedGroups(chain, [
        [
          Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [tokenIn.address]),
          Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [tokenOut.address]),
          Contract.read(erc20, tokenIn.address, "balanceOf", [pool]),
          Contract.read(factoryAbi, factory, "getAssetPrice", [tokenIn.address]),
          Contract.read(factoryAbi, factory, "getAssetPrice", [tokenOut.address]),
          ChainTime.read(chain)
        ],
        deployed.map(({ router }) => ContractGuard.read(chain.book, router)),
        deployed.map(({ router }) => Contract.read(erc20, tokenIn.address, "allowance", [pool, router]))
      ]),
      unavailable
    )
    const [[enabledIn, enabledOut, balance, priceIn, priceOut, chainTime], guards, allowances] = groups
    if (!Result.getOrElse(enabledIn, () => false)) return yield* notEnabled(tokenIn, facts)
    if (!Result.getOrElse(enabledOut, () => false)) return yield* notEnabled(tokenOut, facts)
    if (Result.isFailure(priceIn) || priceIn.success === 0n) return yield* noOraclePrice(tokenIn)
    if (Result.isFailure(priceOut) || priceOut.success === 0n) return yield* noOraclePrice(tokenOut)
    if (Result.isFailure(balance)) return yield* uncounted(tokenIn)
    return {
      tokenIn,
      tokenOut,
      balance: balance.success,
      priceIn: priceIn.success,
      priceOut: priceOut.success,
      deadline: yield* ChainTime.deadline(chainTime),
      guarded: new Set(
        deployed.flatMap(({ name }, index) => ContractGuard.isGuarded(guards[index]) ? [name] : [])
      ),
      allowances: new Map(deployed.map(({ router }, index) => [router, Result.getOrElse(allowances[index]!, () => 0n)]))
    }
  })

/** Returns the venues that exist on the context's network, with their routers. */
export const routers = (
  { chain }: Pick<VaultContext, "chain">
): ReadonlyArray<{ readonly name: VenueName; readonly router: Address }> =>
  names.flatMap((name) => {
    const router = venues[name].router(chain)
    return router === undefined ? [] : [{ name, router }]
  })

/**
 * Returns the venues to try. A venue the caller named is the only one. `auto` and `best` give those of the network's
 * fallback chain that exist on the network, or the whole chain when none does. For a bought pool token they give the
 * only venue that has it.
 */
export const candidates = (
  { chain, network }: Pick<VaultContext, "chain" | "network">,
  platform: Platform,
  tokenOut?: Token
): ReadonlyArray<VenueName> => {
  if (
    (platform === "auto" || platform === "best") && tokenOut !== undefined &&
    poolTokenAt(chain.book, tokenOut.address) !== undefined
  ) return ["toros"]
  const wanted = order(network, platform)
  const existing = wanted.filter((name) => name === platform || venues[name].router(chain) !== undefined)
  return existing.length > 0 ? existing : wanted
}

/** Converts `amountIn` to `tokenOut` at the vault's oracle prices, smallest units. */
export const fairOut = (
  market: Pick<Market, "tokenIn" | "tokenOut" | "priceIn" | "priceOut">,
  amountIn: bigint
): bigint =>
  amountIn * market.priceIn * 10n ** BigInt(market.tokenOut.decimals) /
  (market.priceOut * 10n ** BigInt(market.tokenIn.decimals))
