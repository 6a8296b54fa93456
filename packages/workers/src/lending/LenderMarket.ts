/**
 * A lending market as planning sees it: the vault's position, its limits and the calls that change it. One adapter per
 * file.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { MarketState } from "@vault-trader/core/failure/Reason"
import type { ExecutionFailure, Failure } from "@vault-trader/core/failure/Failure"
import type { LenderName } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { erc20, type Tokens } from "../chain/Tokens.ts"
import { notEnabled, uncounted } from "../trading/PairState.ts"
import type { VaultContext } from "../vault/Action.ts"
import * as ContractGuard from "../platform/ContractGuard.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import type { Movement } from "../platform/AssetMovement.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"

/** One asset's market and the vault's position in it, at one block. Amounts in smallest units of the asset. */
export interface Market {
  readonly lender: LenderName
  /** The contract to call, which also receives the asset. */
  readonly address: Address
  readonly token: Token
  /** The vault's balance of the asset. */
  readonly balance: bigint
  readonly allowance: bigint
  /** The vault's position, including interest up to this block. */
  readonly supplied: bigint
  /** The maximum the market can pay out at this block. */
  readonly liquidity: bigint
  /** USD per whole token by the vault's oracle, 18 decimals; 0 when there is no price. */
  readonly price: bigint
  /** True when the vault may hold positions there. */
  readonly enabled: boolean
  /** True if the vault's trader could enable it; null while that is unknown. */
  readonly enabledByTrader: boolean | null
  /** True when the vault platform lets vaults call and approve it. */
  readonly guarded: boolean
  /** Why the market refuses supplies and withdrawals of the asset now; null while it accepts them. */
  readonly closedFor: { readonly supply: MarketState | null; readonly withdraw: MarketState | null }
  readonly supply: (amount: bigint) => VaultCall
  /** `everything` withdraws the balance at the time of mining, including interest until then. */
  readonly withdraw: (amount: bigint | "everything") => VaultCall
}

/** The effect of a call to a market, decoded from its calldata. */
export interface LenderCall extends Movement {
  readonly kind: "supply" | "withdraw" | "borrow" | "repay"
}

export interface Lender<M extends Market = Market> {
  /** The contracts that vaults call and approve on this network. */
  readonly contracts: (chain: ChainClient) => ReadonlyArray<Address>
  /**
   * Finds the asset's market for this vault. Fails with 2015 when there is none, 2006 when the asset is not enabled.
   */
  readonly find: (context: VaultContext, token: Token) => Effect.Effect<M, Failure, Tokens>
  /** Decodes a call; `undefined` for every call the adapter would not make. `to` is one of `contracts`. */
  readonly decode: (to: Address, data: Hex) => LenderCall | undefined
}

/** The reads that every adapter needs about an asset and its market contract. */
export const reads = ({ chain, facts, pool }: VaultContext, token: Token, market: Address) =>
  [
    Contract.read(erc20, token.address, "balanceOf", [pool]),
    Contract.read(erc20, token.address, "allowance", [pool, market]),
    Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [token.address]),
    Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [market]),
    Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [token.address]),
    ContractGuard.read(chain.book, market)
  ] as const

/** Returns the number that was read; 0 when the call failed. */
export const numberOf = (answer: Result.Result<bigint, Contract.ReadFailure> | undefined): bigint =>
  answer === undefined ? 0n : Result.getOrElse(answer, () => 0n)

export const isTrue = (answer: Result.Result<boolean, Contract.ReadFailure> | undefined): boolean =>
  answer !== undefined && Result.getOrElse(answer, () => false)

type ReadResult<A> = Result.Result<A, Contract.ReadFailure>

/** Converts the results of `reads` to the fields of a market. Fails with 2006 when the vault may not hold the asset. */
export const commonOf = (
  { facts }: Pick<VaultContext, "facts">,
  token: Token,
  [balance, allowance, assetEnabled, marketEnabled, price, guard]: readonly [
    ReadResult<bigint>,
    ReadResult<bigint>,
    ReadResult<boolean>,
    ReadResult<boolean>,
    ReadResult<bigint>,
    ReadResult<Address>
  ]
) =>
  !isTrue(assetEnabled)
    ? notEnabled(token, facts)
    : Result.isFailure(balance)
    ? uncounted(token)
    : Effect.succeed({
      token,
      balance: balance.success,
      allowance: numberOf(allowance),
      price: numberOf(price),
      enabled: isTrue(marketEnabled),
      enabledByTrader: facts.traderChangesAssets ?? null,
      guarded: ContractGuard.isGuarded(guard)
    })

/** 2015: the lender is not on this network. */
export const notHere = (lender: LenderName, network: Network) =>
  explain({ _tag: "LenderNotAvailable", lender, network })

/** 2015: the lender does not list the asset. */
export const notListed = (lender: LenderName, network: Network, token: Token, listed: ReadonlyArray<string>) =>
  explain({ _tag: "AssetNotListed", lender, symbol: token.symbol, network, listed })

/** Returns the market when vaults may call and approve it; fails with 2007 when the platform does not allow it. */
export const allowed = <M extends Market>(market: M): Effect.Effect<M, ExecutionFailure> =>
  market.guarded
    ? Effect.succeed(market)
    : explain({ _tag: "LenderMarketNotAllowed", lender: market.lender, address: market.address })

/**
 * Returns the market when the vault may use it. Fails with 2006 when the vault may not hold positions there, 2007 when
 * no vault may.
 */
export const usable = <M extends Market>(market: M): Effect.Effect<M, ExecutionFailure> =>
  market.enabled
    ? allowed(market)
    : explain({
      _tag: "LenderMarketNotEnabled",
      lender: market.lender,
      address: market.address,
      byTrader: market.enabledByTrader
    })

/** 2015: the market has paused, frozen or closed the asset for this action. */
export const closedMarket = (
  { lender, token }: Pick<Market, "lender" | "token">,
  action: LenderCall["kind"],
  state: MarketState
): ExecutionFailure => explain({ _tag: "LenderClosed", lender, symbol: token.symbol, state, action })

/** Fails while the market is closed for this action; `state` is null while it is open. */
export const open = (
  market: Pick<Market, "lender" | "token">,
  action: LenderCall["kind"],
  state: MarketState | null
): Effect.Effect<void, ExecutionFailure> => state === null ? Effect.void : closedMarket(market, action, state)
