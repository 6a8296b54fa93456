/** Reads a vault's supplies and debts at lenderA and formats them for responses. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { type LentAsset, LendingAccount } from "@vault-trader/core/lending/LendingAccount"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import { dataProviderAbi, oracleAbi, poolAbi } from "./AaveV3Abi.ts"
import { dataProviderOf, oracleOf } from "./AaveV3Contracts.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { notHere } from "./LenderMarket.ts"

/**
 * A vault's position in one reserve of lenderA: amounts in smallest units, price in USD per whole token with 8
 * decimals.
 */
interface Position {
  readonly token: Token
  readonly supplied: bigint
  readonly owed: bigint
  readonly isCollateral: boolean
  readonly price: bigint
}

const silent = (network: Network) => explain({ _tag: "LenderUnreadable", network })

/** 2012: a position that lenderA cannot value is not left out, because it is not 0. */
const unknownPosition = (asset: Address) => explain({ _tag: "LenderPositionUnknown", asset })

/** Reads the vault's account and its positions, one per reserve in use. Fails with 2012 when one cannot be valued. */
export const positions = (network: Network, chain: ChainClient, vault: Address) =>
  Effect.gen(function*() {
    const book = chain.book.aaveV3
    if (book === undefined) return yield* notHere("lenderA", network)
    const [list] = yield* Effect.mapError(
      chain.readAll([Contract.read(poolAbi, book.pool, "getReservesList", [])]),
      unavailable
    )
    if (Result.isFailure(list)) return yield* silent(network)
    const reserves = list.success.map(Contract.lower)
    const dataProvider = yield* dataProviderOf(chain, book)
    const [tokens, oracle] = yield* Effect.all([
      Effect.flatMap(Tokens, (known) => known.at(network, reserves)),
      oracleOf(chain, book.pool)
    ])
    const [[account], held, prices] = yield* Effect.mapError(
      readGroups(chain, [
        [Contract.read(poolAbi, book.pool, "getUserAccountData", [vault])],
        reserves.map((asset) => Contract.read(dataProviderAbi, dataProvider, "getUserReserveData", [asset, vault])),
        reserves.map((asset) => Contract.read(oracleAbi, oracle, "getAssetPrice", [asset]))
      ]),
      unavailable
    )
    if (Result.isFailure(account)) return yield* silent(network)
    const found = yield* Effect.forEach(reserves, (asset, index) => {
      const [token, reserve, price] = [tokens[index], held[index], prices[index]]
      if (reserve === undefined || Result.isFailure(reserve)) return unknownPosition(asset)
      const [supplied, stableDebt, variableDebt] = reserve.success
      const owed = stableDebt + variableDebt
      if (supplied === 0n && owed === 0n) return Effect.succeed([])
      if (token === undefined || price === undefined || Result.isFailure(price)) return unknownPosition(asset)
      return Effect.succeed([
        { token, supplied, owed, isCollateral: reserve.success[8], price: price.success } satisfies Position
      ])
    })
    const [collateral, debt, available, threshold, ltv, healthFactor] = account.success
    return {
      market: book.pool,
      account: { collateral, debt, available, threshold, ltv },
      healthFactor: debt === 0n ? undefined : healthFactor,
      found: found.flat()
    }
  })

/** Formats USD with 8 decimals as decimal text; `percent` formats hundredths of a percent as percent. */
const usd = (raw8: bigint) => Quantity.format(raw8, 8)
const percent = (hundredths: bigint) => Quantity.format(hundredths, 2)

/** Returns the account for the response; fails with 2015 when the network has no lenderA. */
export const read = (
  network: Network,
  chain: ChainClient,
  vault: Address
): Effect.Effect<LendingAccount, Failure, Tokens> =>
  Effect.map(positions(network, chain, vault), ({ account, found, healthFactor }) => {
    const worth = ({ price, token }: Position, amount: bigint) =>
      HealthFactor.worth(amount, price, token.decimals, false)
    const lines = (
      of: (position: Position) => bigint,
      isCollateral: (position: Position) => boolean
    ): ReadonlyArray<LentAsset> =>
      found.filter((position) => of(position) > 0n).map((position) => ({
        ...Quantity.of(position.token, of(position)),
        usd: usd(worth(position, of(position))),
        used_as_collateral: isCollateral(position)
      }))
    const total = (of: (position: Position) => bigint) =>
      usd(found.reduce((sum, position) => sum + worth(position, of(position)), 0n))
    return LendingAccount.make({
      data: {
        totalCollateralBase: usd(account.collateral),
        totalDebtBase: usd(account.debt),
        availableBorrowsBase: usd(account.available),
        currentLiquidationThreshold: percent(account.threshold),
        ltv: percent(account.ltv),
        healthFactor: HealthFactor.show(healthFactor)
      },
      totalSupplied: total(({ supplied }) => supplied),
      totalBorrowed: total(({ owed }) => owed),
      supplied: lines(({ supplied }) => supplied, ({ isCollateral }) => isCollateral),
      borrowed: lines(({ owed }) => owed, () => false)
    })
  })
