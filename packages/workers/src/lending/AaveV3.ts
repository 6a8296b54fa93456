/** lenderA: the version-3 market with Aave's interface. Many assets in one contract, collateral and variable debt. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import type { MarketState } from "@vault-trader/core/failure/Reason"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { maxUint256 } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import * as Contract from "../chain/Contract.ts"
import { readConfirmedGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import type { VaultContext } from "../vault/Action.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import { dataProviderAbi, poolAbi, variableRate } from "./AaveV3Abi.ts"
import { dataProviderOf, silent } from "./AaveV3Contracts.ts"
import type { Account } from "./HealthFactor.ts"
import {
  commonOf,
  isTrue,
  type Lender,
  type LenderCall,
  type Market,
  notHere,
  notListed,
  reads
} from "./LenderMarket.ts"

export interface AaveMarket extends Market {
  readonly lender: "lenderA"
  readonly account: Account
  /** The vault's debt in the asset. */
  readonly owed: bigint
  /** Ids of the reserves in which the vault has debt. */
  readonly borrowing: ReadonlyArray<number>
  /** The asset's liquidation threshold as collateral, hundredths of a percent; 0 where it does not count. */
  readonly threshold: bigint
  /** True when the vault's supply of the asset counts as collateral. */
  readonly isCollateral: boolean
  /** The debt without the interest since the loans: the market's index times it is the debt at any time, 27 decimals. */
  readonly scaledDebt: bigint
  readonly closedFor: Market["closedFor"] & { readonly borrow: MarketState | null; readonly repay: MarketState | null }
  /** False when the market never lends the asset. */
  readonly isLent: boolean
  readonly emode: bigint
  readonly borrow: (amount: bigint) => VaultCall
  readonly repay: (amount: bigint) => VaultCall
}

/** Returns the ids of the reserves whose debt bit is set. There are two bits per reserve; the lower one is debt. */
const borrowedIds = (bits: bigint): ReadonlyArray<number> =>
  Array.from({ length: 128 }, (_, id) => id).filter((id) => (bits >> BigInt(2 * id) & 1n) === 1n)

const callsOf = (market: Address, { address: asset }: Token, vault: Address) => {
  const abi = poolAbi
  const to = (data: Hex): VaultCall => ({ to: market, data })
  const whole = (amount: bigint | "everything") => amount === "everything" ? maxUint256 : amount
  return {
    supply: (amount: bigint) => to(Calldata.encode({ abi, functionName: "supply", args: [asset, amount, vault, 0] })),
    withdraw: (amount: bigint | "everything") =>
      to(Calldata.encode({ abi, functionName: "withdraw", args: [asset, whole(amount), vault] })),
    borrow: (amount: bigint) =>
      to(Calldata.encode({ abi, functionName: "borrow", args: [asset, amount, variableRate, 0, vault] })),
    repay: (amount: bigint) =>
      to(Calldata.encode({ abi, functionName: "repay", args: [asset, amount, variableRate, vault] }))
  }
}

/** The market's own reads about the vault and the asset. */
const facts = (pool: Address, dataProvider: Address, { pool: vault }: VaultContext, token: Token) =>
  [
    Contract.read(poolAbi, pool, "getReservesList", []),
    Contract.read(poolAbi, pool, "getUserAccountData", [vault]),
    Contract.read(poolAbi, pool, "getUserConfiguration", [vault]),
    Contract.read(poolAbi, pool, "getUserEMode", [vault]),
    Contract.read(dataProviderAbi, dataProvider, "getReserveConfigurationData", [token.address]),
    Contract.read(dataProviderAbi, dataProvider, "getUserReserveData", [token.address, vault]),
    Contract.read(dataProviderAbi, dataProvider, "getReserveData", [token.address]),
    Contract.read(dataProviderAbi, dataProvider, "getPaused", [token.address])
  ] as const

/** Returns which actions the reserve's state stops: a pause stops all of them, a freeze those that add to it. */
const closedBy = (
  { isActive, isFrozen, isPaused }: {
    readonly isActive: boolean
    readonly isFrozen: boolean
    readonly isPaused: boolean
  }
): AaveMarket["closedFor"] => {
  const all = isActive ? (isPaused ? "paused" : null) : "inactive"
  const growing = all ?? (isFrozen ? "frozen" : null)
  return { supply: growing, borrow: growing, withdraw: all, repay: all }
}

const find: Lender<AaveMarket>["find"] = (context, token) =>
  Effect.gen(function*() {
    const { chain, network, pool } = context
    const book = chain.book.aaveV3
    if (book === undefined) return yield* notHere("lenderA", network)
    const groups = [
      reads(context, token, book.pool),
      facts(book.pool, yield* dataProviderOf(chain, book), context, token)
    ] as const
    const [common, marketFacts] = yield* Effect.mapError(
      readConfirmedGroups(chain, groups),
      unavailable
    )
    const [list, account, configuration, emode, terms, position, reserve, paused] = marketFacts
    if (
      Result.isFailure(list) || Result.isFailure(account) || Result.isFailure(configuration) || Result.isFailure(emode)
    ) return yield* silent(network)
    const listed = list.success.map(Contract.lower)
    if (!listed.includes(token.address)) {
      const tokens = yield* (yield* Tokens).at(network, listed)
      return yield* notListed(
        "lenderA",
        network,
        token,
        tokens.flatMap((each) => each === undefined ? [] : [each.symbol])
      )
    }
    if (Result.isFailure(terms) || Result.isFailure(position) || Result.isFailure(reserve)) {
      return yield* silent(network)
    }
    const shared = yield* commonOf(context, token, common)
    const [collateral, debt, available, threshold, ltv] = account.success
    const [, , assetThreshold, , , , mayBorrow, , isActive, isFrozen] = terms.success
    const [supplied, stableDebt, variableDebt] = position.success
    const [, , total, totalStable, totalVariable] = reserve.success
    const lent = totalStable + totalVariable
    return {
      lender: "lenderA" as const,
      address: book.pool,
      ...shared,
      supplied,
      owed: stableDebt + variableDebt,
      liquidity: total > lent ? total - lent : 0n,
      account: { collateral, debt, available, threshold, ltv },
      borrowing: borrowedIds(configuration.success.data),
      threshold: assetThreshold,
      isCollateral: position.success[8],
      scaledDebt: position.success[4],
      closedFor: closedBy({ isActive, isFrozen, isPaused: isTrue(paused) }),
      isLent: mayBorrow,
      emode: emode.success,
      ...callsOf(book.pool, token, pool)
    }
  })

const decode = (_: Address, data: Hex): LenderCall | undefined => {
  const call = Calldata.read(poolAbi, data)
  switch (call?.functionName) {
    case "supply": {
      const [asset, amount, onBehalfOf] = call.args
      return { kind: "supply", gives: [{ token: Contract.lower(asset), amount }], receiver: Contract.lower(onBehalfOf) }
    }
    case "withdraw":
      return { kind: "withdraw", gives: [], receiver: Contract.lower(call.args[2]) }
    case "borrow":
      return call.args[2] === variableRate
        ? { kind: "borrow", gives: [], receiver: Contract.lower(call.args[4]) }
        : undefined
    case "repay": {
      const [asset, amount, rate, onBehalfOf] = call.args
      return rate === variableRate && amount !== maxUint256
        ? { kind: "repay", gives: [{ token: Contract.lower(asset), amount }], receiver: Contract.lower(onBehalfOf) }
        : undefined
    }
    default:
      return undefined
  }
}

export const AaveV3: Lender<AaveMarket> = {
  contracts: ({ book }) => book.aaveV3 === undefined ? [] : [book.aaveV3.pool],
  find,
  decode
}
