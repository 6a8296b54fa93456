/** What a trade is planned against, read in one call at one block: balance, oracle prices, permissions, allowances. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import { names, order } from "@vault-trader/core/venue/VenueName"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { zeroAddress } from "viem"
import { readGroups } from "../chain/ChainClient.ts"
import * as ChainTime from "../chain/ChainTime.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20 } from "../chain/Tokens.ts"
import type { VaultContext } from "../vault/Action.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"
import { venues } from "../venue/VenueRegistry.ts"

export interface Market {
  readonly tokenIn: Token
  readonly tokenOut: Token
  /** The vault's `tokenIn`, smallest units. */
  readonly balance: bigint
  /** USD per whole token by the vault's oracle, 18 decimals. */
  readonly priceIn: bigint
  readonly priceOut: bigint
  /** When a swap planned on this stops being worth mining, unix seconds. */
  readonly deadline: bigint
  /** Venues whose router the platform guards on this network. */
  readonly guarded: ReadonlySet<VenueName>
  /** What each router may take of `tokenIn`, smallest units. */
  readonly allowances: ReadonlyMap<Address, bigint>
}

/** The vault cannot hold this asset as it is set up. */
export const notEnabled = (token: Token) =>
  new ExecutionFailure({
    errorType: "asset_not_enabled",
    message: `${token.symbol} (${token.address}) is not enabled in the vault; nothing was sent. The vault's manager can enable it.`
  })

/** 2012: what the vault has of an asset cannot be read, so no share of it can be taken. */
export const uncounted = (token: Token) =>
  new ExecutionFailure({
    errorType: "price_unavailable",
    message: `The contract of ${token.symbol} (${token.address}) does not say how much of it the vault has; nothing was sent.`
  })

const unpriced = (token: Token) =>
  new ExecutionFailure({
    errorType: "price_unavailable",
    message: `The vault's oracle has no fresh price for ${token.symbol}; without one nothing is traded. Nothing was sent.`
  })

const paused = new ExecutionFailure({ errorType: "vault_paused", message: "Trading is paused for this vault; nothing was sent." })

/** The market of a pair for one vault; every reason not to trade it has its own name. */
export const read = (context: VaultContext, tokenIn: Token, tokenOut: Token): Effect.Effect<Market, ExecutionFailure> =>
  Effect.gen(function*() {
    if (context.facts.paused) return yield* paused
    const { chain, pool, facts } = context
    const factory = chain.book.platformFactory
    const deployed = routers(context)
    const answers = yield* Effect.mapError(
      readGroups(chain, [
        [
          Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [tokenIn.address]),
          Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [tokenOut.address]),
          Contract.read(erc20, tokenIn.address, "balanceOf", [pool]),
          Contract.read(factoryAbi, factory, "getAssetPrice", [tokenIn.address]),
          Contract.read(factoryAbi, factory, "getAssetPrice", [tokenOut.address]),
          ChainTime.read(chain)
        ],
        deployed.map(({ router }) => Contract.read(factoryAbi, factory, "getContractGuard", [router])),
        deployed.map(({ router }) => Contract.read(erc20, tokenIn.address, "allowance", [pool, router]))
      ]),
      unavailable
    )
    const [[enabledIn, enabledOut, balance, priceIn, priceOut, chainTime], guards, allowances] = answers
    if (!Result.getOrElse(enabledIn, () => false)) return yield* notEnabled(tokenIn)
    if (!Result.getOrElse(enabledOut, () => false)) return yield* notEnabled(tokenOut)
    if (Result.isFailure(priceIn) || priceIn.success === 0n) return yield* unpriced(tokenIn)
    if (Result.isFailure(priceOut) || priceOut.success === 0n) return yield* unpriced(tokenOut)
    if (Result.isFailure(balance)) return yield* uncounted(tokenIn)
    return {
      tokenIn,
      tokenOut,
      balance: balance.success,
      priceIn: priceIn.success,
      priceOut: priceOut.success,
      deadline: yield* ChainTime.deadline(chainTime),
      guarded: new Set(deployed.flatMap(({ name }, index) =>
        Result.getOrElse(guards[index]!, () => zeroAddress) === zeroAddress ? [] : [name])),
      allowances: new Map(deployed.map(({ router }, index) => [router, Result.getOrElse(allowances[index]!, () => 0n)]))
    }
  })

/** The venues that exist on the context's network, with their routers. */
export const routers = ({ chain }: Pick<VaultContext, "chain">): ReadonlyArray<{ readonly name: VenueName; readonly router: Address }> =>
  names.flatMap((name) => {
    const router = venues[name].router(chain)
    return router === undefined ? [] : [{ name, router }]
  })

/** Lists the venues to try: the one the caller named and no other; for `auto` those of the network's chain that exist there, all of them where none does. */
export const candidates = ({ chain, network }: Pick<VaultContext, "chain" | "network">, platform: VenueName | "auto"): ReadonlyArray<VenueName> => {
  const wanted = order(network, platform)
  const existing = wanted.filter((name) => name === platform || venues[name].router(chain) !== undefined)
  return existing.length > 0 ? existing : wanted
}

/** What `amountIn` is worth in `tokenOut` by the vault's oracle, smallest units. */
export const fairOut = (market: Pick<Market, "tokenIn" | "tokenOut" | "priceIn" | "priceOut">, amountIn: bigint): bigint =>
  amountIn * market.priceIn * 10n ** BigInt(market.tokenOut.decimals) / (market.priceOut * 10n ** BigInt(market.tokenIn.decimals))
