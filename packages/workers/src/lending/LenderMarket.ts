/** What a lending market is to planning: the vault's position there, what limits it, and the calls that change it. One adapter a file. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Token } from "@vault-trader/core/chain/Token"
import { ExecutionFailure, type Failure } from "@vault-trader/core/failure/Failure"
import type { LenderName } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { zeroAddress } from "viem"
import type { ChainClient, ReadFailure } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { erc20, type Tokens } from "../chain/Tokens.ts"
import { notEnabled, uncounted } from "../trading/PairState.ts"
import type { VaultContext, VaultCall } from "../vault/Action.ts"
import type { Movement } from "../platform/AssetMovement.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"

/** One asset's market and the vault, at one block. Amounts in smallest units of the asset. */
export interface Market {
  readonly lender: LenderName
  /** The contract that is called, and that takes the asset. */
  readonly address: Address
  readonly token: Token
  /** The vault's own. */
  readonly balance: bigint
  readonly allowance: bigint
  /** The vault's position, interest until this block included. */
  readonly supplied: bigint
  /** The most the market can pay out at the moment. */
  readonly liquidity: bigint
  /** USD per whole token by the vault's oracle, 18 decimals; 0 when it has none. */
  readonly price: bigint
  /** Whether the vault may hold positions there. */
  readonly enabled: boolean
  /** Whether the vault platform lets vaults call and approve it. */
  readonly guarded: boolean
  readonly supply: (amount: bigint) => VaultCall
  /** `everything`: what is there when it is mined, whatever interest adds until then. */
  readonly withdraw: (amount: bigint | "everything") => VaultCall
}

/** What a call to a market does, read from its bytes. */
export interface LenderCall extends Movement {
  readonly kind: "supply" | "withdraw" | "borrow" | "repay"
}

export interface Lender<M extends Market = Market> {
  /** The contracts vaults call, and approve, on this network. */
  readonly contracts: (chain: ChainClient) => ReadonlyArray<Address>
  /** The asset's market for this vault: 2015 where there is none, 2006 where the asset is not enabled. */
  readonly find: (context: VaultContext, token: Token) => Effect.Effect<M, Failure, Tokens>
  /** The way back from the calls; `undefined` for every call the adapter would not make. `to` is one of `contracts`. */
  readonly decode: (to: Address, data: Hex) => LenderCall | undefined
}

/** What every adapter reads of an asset and the contract that takes it. */
export const reads = ({ chain, facts, pool }: VaultContext, token: Token, market: Address) => [
  Contract.read(erc20, token.address, "balanceOf", [pool]),
  Contract.read(erc20, token.address, "allowance", [pool, market]),
  Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [token.address]),
  Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [market]),
  Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [token.address]),
  Contract.read(factoryAbi, chain.book.platformFactory, "getContractGuard", [market])
] as const

/** A number that was read; 0 where the contract did not answer. */
export const numberOf = (answer: Result.Result<bigint, ReadFailure> | undefined): bigint =>
  answer === undefined ? 0n : Result.getOrElse(answer, () => 0n)

export const isTrue = (answer: Result.Result<boolean, ReadFailure> | undefined): boolean =>
  answer !== undefined && Result.getOrElse(answer, () => false)

/** Whether there is a guard: the zero address is none. */
export const isGuarded = (answer: Result.Result<Address, ReadFailure> | undefined): boolean =>
  answer !== undefined && Result.getOrElse(answer, () => zeroAddress) !== zeroAddress

type Told<A> = Result.Result<A, ReadFailure>

/** What `reads` told, as a market has it; 2006 where the vault may not hold the asset. */
export const commonOf = (
  token: Token,
  [balance, allowance, assetEnabled, marketEnabled, price, guard]: readonly [Told<bigint>, Told<bigint>, Told<boolean>, Told<boolean>, Told<bigint>, Told<Address>]
) =>
  !isTrue(assetEnabled)
    ? notEnabled(token)
    : Result.isFailure(balance)
    ? uncounted(token)
    : Effect.succeed({
      token,
      balance: balance.success,
      allowance: numberOf(allowance),
      price: numberOf(price),
      enabled: isTrue(marketEnabled),
      guarded: isGuarded(guard)
    })

/** 2015: the market is not on this network at all. */
export const notHere = (lender: LenderName, network: Network) =>
  new ExecutionFailure({ errorType: "market_not_available", message: `${lender} is not available on ${network}; nothing was sent.` })

/** 2015: the market does not know the asset. */
export const notListed = (lender: LenderName, network: Network, token: Token, listed: ReadonlyArray<string>) =>
  new ExecutionFailure({
    errorType: "market_not_available",
    message: `${lender} does not list ${token.symbol} on ${network}; nothing was sent. ` +
      `It lists ${listed.length === 0 ? "nothing" : listed.join(", ")}.`
  })

/** 2007: the platform lets no vault call, or approve, the market. */
export const allowed = <M extends Market>(market: M): Effect.Effect<M, ExecutionFailure> =>
  market.guarded
    ? Effect.succeed(market)
    : new ExecutionFailure({
      errorType: "venue_not_allowed",
      message: `The vault platform does not allow ${market.lender}'s market ${market.address}; nothing was sent.`
    })

/** The market when the vault may use it; 2006 where it may not hold positions there, 2007 where no vault may. */
export const usable = <M extends Market>(market: M): Effect.Effect<M, ExecutionFailure> =>
  market.enabled
    ? allowed(market)
    : new ExecutionFailure({
      errorType: "asset_not_enabled",
      message: `${market.lender}'s market ${market.address} is not enabled in the vault; nothing was sent. The vault's manager can enable it.`
    })
