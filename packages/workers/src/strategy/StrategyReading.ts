/** Reads what a strategy bot needs of the chain, at one block: prices by the vault's oracle, balances, block and time. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { Holding } from "@vault-trader/core/index-bot/RebalancePlan"
import type { StrategyBot } from "@vault-trader/core/strategy/StrategyBot"
import type { PriceSample } from "@vault-trader/core/strategy/StrategyCandle"
import { tokensOf } from "@vault-trader/core/strategy/StrategyDecision"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as ChainTime from "../chain/ChainTime.ts"
import * as Contract from "../chain/Contract.ts"
import { blockNumberIn, blockNumberReads } from "../chain/Multicall3.ts"
import { readConfirmedGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20 } from "../chain/Tokens.ts"
import { factoryAbi } from "../platform/PlatformAbi.ts"

export interface StrategyReading {
  /** None while an asset has no price. */
  readonly sample: PriceSample | null
  /** Symbols of the assets without a price. */
  readonly unpriced: ReadonlyArray<string>
  /** The vault's own holdings. */
  readonly held: ReadonlyArray<Holding>
}

/** Reads prices and balances; two endpoints must agree where the network has several. */
export const read = (
  chain: ChainClient,
  { pool, terms }: Pick<StrategyBot, "pool" | "terms">
): Effect.Effect<StrategyReading, Failure> =>
  Effect.gen(function*() {
    const tokens = tokensOf(terms)
    const [prices, balances, numbers, [time]] = yield* Effect.mapError(
      readConfirmedGroups(chain, [
        tokens.map(({ address }) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [address])),
        tokens.map(({ address }) => Contract.read(erc20, address, "balanceOf", [pool])),
        blockNumberReads(chain.book),
        [ChainTime.read(chain)]
      ]),
      unavailable
    )
    // The oracle itself reverts for a feed that is too old.
    const held = tokens.map((token, index): Holding => {
      const price = Result.getOrElse(prices[index]!, () => 0n)
      return {
        token,
        balance: Result.getOrElse(balances[index]!, () => null),
        price: price === 0n ? null : price,
        inVault: true
      }
    })
    const unpriced = held.filter(({ price }) => price === null).map(({ token }) => token.symbol)
    const block = blockNumberIn(numbers)
    const at = yield* ChainTime.readAt(time)
    const known = new Map<Address, bigint>(
      held.flatMap(({ price, token }) => price === null ? [] : [[token.address, price]])
    )
    return {
      held,
      unpriced,
      sample: unpriced.length > 0 || block === undefined ? null : { block: Number(block), time: at, prices: known }
    }
  })
