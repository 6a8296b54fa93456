/**
 * Reads a vault's value at a block, in one call: what it holds, what the vault platform says that is worth, its tokens,
 * and prices of benchmarks. Answers that contradict each other are no sample.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { format } from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { SampleDetails } from "@vault-trader/core/performance/ValueSample"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { positionName } from "../address-book/AssetType.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import type { Tokens } from "../chain/Tokens.ts"
import * as ManagerLogic from "../platform/ManagerLogic.ts"
import { factoryAbi, managerLogicAbi, poolAbi } from "../platform/PlatformAbi.ts"
import * as Valuation from "../vault/Valuation.ts"

/** A vault's value at a block. */
export interface ReadValue {
  readonly _tag: "value"
  readonly value18: bigint
  readonly supply: bigint
  readonly owed: bigint
  readonly details: SampleDetails
}

/** A vault's value, why it is not known, or that there was no vault at the block. */
export type ValueResult = ReadValue | { readonly _tag: "unknown"; readonly reason: string } | {
  readonly _tag: "absent"
}

const unknown = (reason: string): ValueResult => ({ _tag: "unknown", reason })
const whole = 10n ** 18n

/** Maximum difference of two sums that must be equal, in parts of a million: the platform rounds each asset. */
const tolerance = 10n
const isNear = (one: bigint, other: bigint): boolean => {
  const difference = one > other ? one - other : other - one
  return difference <= 1_000n || difference * 1_000_000n <= tolerance * (one > other ? one : other)
}

/** Maximum part of a vault's tokens that fees can be that accrued since the last mint. */
const maxOwedPart = 2n

/** The platform's answers about the vault as a whole. */
interface Totals {
  readonly value18: bigint
  readonly supply: bigint
  readonly price18: bigint
}

/** Derives the tokens that are owed from the price, which counts them; or says why the answers cannot be true. */
const owedOf = ({ price18, supply, value18 }: Totals, sum18: bigint): bigint | string => {
  if (!isNear(value18, sum18)) {
    return `the vault platform's total of $${format(value18, 18)} is not the sum of its assets, $${format(sum18, 18)}`
  }
  if (supply === 0n) return 0n
  if (price18 === 0n) return value18 === 0n ? 0n : "the vault platform's share price is 0 although the vault has value"
  const counted = value18 * whole / price18
  if (counted <= supply) {
    return isNear(counted, supply)
      ? 0n
      : "the vault platform's share price is above value by token"
  }
  const owed = counted - supply
  // The price has 18 decimals: below a millionth of a millionth of the supply its rounding could be mistaken for fees.
  if (owed * 10n ** 12n < supply) return 0n
  return owed > supply / maxOwedPart ? "the vault platform's share price is far below value by token" : owed
}

/** Makes the reader of a network's vaults. It remembers each vault's contracts and assets. */
export const make = (chain: ChainClient, tokens: Tokens["Service"], benchmarks: ReadonlyArray<Token>) => {
  const vaults = new Map<Address, {
    readonly logic: Effect.Effect<Address, Failure>
    readonly valuation: ReturnType<typeof Valuation.make>
  }>()

  const vaultOf = (pool: Address) => {
    // By the manager contract that one endpoint alone names, all of them would confirm what that contract says.
    const vault = vaults.get(pool) ??
      { logic: ManagerLogic.cachedConfirmed(chain, pool), valuation: Valuation.make(chain) }
    vaults.set(pool, vault)
    return vault
  }

  const readAt = (pool: Address, block: bigint) =>
    Effect.gen(function*() {
      const { valuation, ...vault } = vaultOf(pool)
      const logic = yield* vault.logic
      const { platformFactory } = chain.book
      const found = yield* valuation(
        logic,
        { readAll: (reads) => chain.readConfirmed(reads, block) },
        [
          Contract.read(managerLogicAbi, logic, "totalFundValue", []),
          Contract.read(poolAbi, pool, "totalSupply", []),
          Contract.read(poolAbi, pool, "tokenPrice", []),
          ...benchmarks.map(({ address }) => Contract.read(factoryAbi, platformFactory, "getAssetPrice", [address]))
        ] as const
      )
      if (found === undefined) return { _tag: "absent" as const }
      if (BigInt(found.block) !== block) {
        return unknown(`the node answered for block ${found.block} instead of ${block}`)
      }
      const [value, supply, price, ...prices] = found.others
      const unvalued = found.assets.find((asset) => asset.balance !== 0n && asset.value === null)
      if (unvalued !== undefined) return unknown(`${unvalued.asset}: ${unvalued.reason ?? "it has no value"}`)
      if (Result.isFailure(value) || Result.isFailure(supply) || Result.isFailure(price)) {
        return unknown("the vault platform does not return the vault's total value, supply or share price")
      }
      const totals = { value18: value.success, supply: supply.success, price18: price.success }
      const owed = owedOf(totals, found.assets.reduce((sum, asset) => sum + (asset.value ?? 0n), 0n))
      if (typeof owed === "string") return unknown(owed)
      const known = yield* tokens.at(chain.book.network, found.assets.map(({ asset }) => asset))
      const details: SampleDetails = {
        assets: found.assets.map(({ asset, balance, decimals, rate, type }, index) => {
          const token = known[index]
          return {
            asset,
            symbol: token?.symbol ?? "POSITION",
            decimals: decimals ?? token?.decimals ?? 18,
            position: token === undefined || (type !== null && positionName(type) !== undefined),
            balance: balance ?? 0n,
            price18: rate
          }
        }),
        benchmarks: benchmarks.flatMap(({ address, symbol }, index) => {
          const answer = prices[index]
          return answer !== undefined && Result.isSuccess(answer) && answer.success > 0n
            ? [{ asset: address, symbol, price18: answer.success }]
            : []
        })
      }
      const read: ReadValue = { _tag: "value", value18: totals.value18, supply: totals.supply, owed, details }
      return read
    })

  /** Reads a vault at a block. A node that does not answer is an unknown value. */
  return (pool: Address, block: bigint): Effect.Effect<ValueResult> =>
    Effect.catch(readAt(pool, block), (failure: Failure) => Effect.succeed(unknown(failure.message)))
}
