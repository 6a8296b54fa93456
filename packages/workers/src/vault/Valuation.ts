/**
 * Reads, at one block, what the vault platform says of every asset that a vault may hold: balance, decimals, price and
 * value. What its guards refuse to answer is null, with the reason, and never 0.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Failure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { blockNumberIn, blockNumberReads } from "../chain/Multicall3.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { reasonOf } from "../chain/Revert.ts"
import { RpcRefused, unavailable } from "../chain/RpcFailure.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"

/** An asset that the vault may hold. */
interface SupportedAsset {
  readonly asset: Address
  readonly isDeposit: boolean
}

/** An asset of a vault as the platform values it. */
export interface ValuedAsset extends SupportedAsset {
  /** Its type in the platform's AssetHandler; null while the platform does not answer. */
  readonly type: number | null
  /** Smallest units; null while the asset's guard reverts. */
  readonly balance: bigint | null
  /** Decimals of the balance; null while the asset's guard reverts. */
  readonly decimals: number | null
  /** USD per whole unit, 18 decimals; null without a price. */
  readonly rate: bigint | null
  /** USD, 18 decimals; null while any of the above but the type is null. */
  readonly value: bigint | null
  /** Reason for a null value; null when the value is known. */
  readonly reason: string | null
}

export interface Valuation<R extends Contract.Reads = readonly []> {
  readonly assets: ReadonlyArray<ValuedAsset>
  readonly block: number
  /** The results of the caller's own reads at the same block. */
  readonly others: Contract.Results<R>
}

/** Makes reads at one block: of any endpoint, or of several that agree. */
type Source = Pick<ChainClient, "readAll">

/** Maximum number of assets. The platform allows about a dozen; more than this is no answer of the platform. */
const maxAssets = 200
/** Maximum block number; beyond it the node's number is no block's. */
const maxBlock = BigInt(Number.MAX_SAFE_INTEGER)
/** Maximum number of reads until one finds the list of assets that it was made for. */
const maxReads = 4
/** Maximum difference between the platform's value and balance × price, in parts of a million. */
const tolerance = 10n

type Answer<A> = Result.Result<A, Contract.ReadFailure>

const found = <A>(answer: Answer<A>): A | null => Result.getOrElse(answer, () => null)
const words = (answer: Answer<unknown>): string =>
  Result.match(answer, {
    onFailure: ({ data, reason }) => data === undefined ? reason : reasonOf(data),
    onSuccess: () => "it is 0"
  })

const isEqual = (one: bigint, other: bigint): boolean => {
  const difference = one > other ? one - other : other - one
  return difference <= 1n || difference * 1_000_000n <= tolerance * (one > other ? one : other)
}

/** The platform's answers about one asset. */
interface Answers {
  readonly balance: Answer<bigint>
  readonly decimals: Answer<bigint>
  readonly value: Answer<bigint>
  readonly rate: Answer<bigint>
  readonly type: Answer<number>
}

const contradiction = "the vault platform's value of it is not its balance at the oracle's price"

/** Returns the reason why the value is unknown; null when it is known. */
const reasonOfNull = ({ balance, decimals, rate, value }: Answers): string | null => {
  const [amount, places, price, usd] = [found(balance), found(decimals), found(rate), found(value)]
  if (amount === null) return `the vault platform does not value it now (${words(balance)})`
  if (price === null || price === 0n) return `the vault's oracle has no fresh price for it (${words(rate)})`
  if (places === null || places > 77n) return `the vault platform does not return its decimals (${words(decimals)})`
  if (usd === null) return `the vault platform does not value it now (${words(value)})`
  return isEqual(usd, amount * price / 10n ** places)
    ? null
    : contradiction
}

/** Combines the answers about an asset. A value that contradicts balance and price is unknown: one of them is wrong. */
const valued = (supported: SupportedAsset, answers: Answers): ValuedAsset => {
  const reason = reasonOfNull(answers)
  const [balance, decimals] = [found(answers.balance), found(answers.decimals)]
  const rate = found(answers.rate)
  return {
    ...supported,
    type: found(answers.type),
    balance,
    decimals: decimals === null || decimals > 77n ? null : Number(decimals),
    rate: balance === null || rate === 0n || reason === contradiction ? null : rate,
    value: reason === null ? found(answers.value) : null,
    reason
  }
}

const isSameList = (one: ReadonlyArray<Address>, other: ReadonlyArray<Address>) =>
  one.length === other.length && one.every((asset, index) => asset === other[index])

/** Reads the list of assets, the block, what the platform says of these assets, and the caller's reads, in one call. */
const readOnce = <const R extends Contract.Reads>(
  source: Source,
  { book }: ChainClient,
  logic: Address,
  assets: ReadonlyArray<Address>,
  others: R
) => {
  const ofLogic = (name: "assetBalance" | "assetDecimal" | "assetValue") =>
    assets.map((asset) => Contract.read(managerLogicAbi, logic, name, [asset]))
  const { platformFactory } = book
  return readGroups(source, [
    [Contract.read(managerLogicAbi, logic, "getSupportedAssets", [])] as const,
    blockNumberReads(book),
    ofLogic("assetBalance"),
    ofLogic("assetDecimal"),
    ofLogic("assetValue"),
    assets.map((asset) => Contract.read(factoryAbi, platformFactory, "getAssetPrice", [asset])),
    assets.map((asset) => Contract.read(factoryAbi, platformFactory, "getAssetType", [asset])),
    others
  ])
}

/** Builds the reader of one vault. It remembers the list of assets, so that a read is one call unless the list changed. */
export const make = (chain: ChainClient) => {
  let listed: ReadonlyArray<Address> = []

  /** Reads the valuation; `undefined` when the address is not a vault's manager logic. */
  return <const R extends Contract.Reads = readonly []>(
    logic: Address,
    source: Source = chain,
    others: R = [] as unknown as R
  ): Effect.Effect<Valuation<R> | undefined, Failure> =>
    Effect.gen(function*() {
      for (let turn = 0; turn < maxReads; turn++) {
        const assets = listed
        const [[supported], block, balances, decimals, values, rates, types, results] = yield* Effect.mapError(
          readOnce(source, chain, logic, assets, others),
          unavailable
        )
        const number = blockNumberIn(block)
        if (Result.isFailure(supported) || number === undefined || number > maxBlock) return undefined
        const list = supported.success.map(({ asset, isDeposit }) => ({ asset: Contract.lower(asset), isDeposit }))
        listed = list.map(({ asset }) => asset)
        if (list.length > maxAssets) break
        if (!isSameList(listed, assets)) continue
        return {
          block: Number(number),
          others: results,
          assets: list.map((line, index) =>
            valued(line, {
              balance: balances[index]!,
              decimals: decimals[index]!,
              value: values[index]!,
              rate: rates[index]!,
              type: types[index]!
            })
          )
        }
      }
      listed = []
      return yield* unavailable(
        new RpcRefused({ code: 0, reason: "the node's list of the vault's assets is too long or differs every time" })
      )
    })
}
