/** Observes the markets of orders: prices by the vault's oracle, balances and the block's time, in one call. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Token } from "@vault-trader/core/chain/Token"
import { findAgreedReading } from "@vault-trader/core/billing/Price"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { type Observation, ratio18 } from "@vault-trader/core/vault-order/OrderDecision"
import { type OrderTerms, tokensOf } from "@vault-trader/core/vault-order/VaultOrder"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Prices } from "../billing/Prices.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as ChainTime from "../chain/ChainTime.ts"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20 } from "../chain/Tokens.ts"
import { factoryAbi } from "../platform/PlatformAbi.ts"

/** The parts of an order that its observation depends on. */
interface Observed {
  readonly pool: Address
  readonly terms: Pick<OrderTerms, "base" | "quote" | "side">
}

/** Observes the markets of these orders at one block, in their order. `source` makes the reads. */
export const read = (
  chain: ChainClient,
  orders: ReadonlyArray<Observed>,
  source: Pick<ChainClient, "readAll"> = chain
): Effect.Effect<ReadonlyArray<Observation>, Failure> =>
  Effect.gen(function*() {
    const tokens = [...new Set(orders.flatMap(({ terms: { base, quote } }) => [base.address, quote.address]))]
    const [prices, balances, [time]] = yield* Effect.mapError(
      readGroups(source, [
        tokens.map((token) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [token])),
        orders.map(({ pool, terms }) => Contract.read(erc20, tokensOf(terms).sold.address, "balanceOf", [pool])),
        [ChainTime.read(chain)]
      ]),
      unavailable
    )
    // The oracle itself reverts for a feed that is too old.
    const priceOf = new Map(tokens.map((token, index) => [token, Result.getOrElse(prices[index]!, () => null)]))
    const block = yield* ChainTime.readAt(time)
    return orders.map(({ terms: { base, quote } }, index): Observation => ({
      price18: ratio18(priceOf.get(base.address) ?? null, priceOf.get(quote.address) ?? null),
      held: Result.getOrElse(balances[index]!, () => null),
      block
    }))
  })

/**
 * Returns why a token's price is not confirmed by a second source; undefined when the sources agree, or the network has
 * only one.
 */
const contradiction = (prices: Prices["Service"], network: Network, token: Token) =>
  Effect.map(prices.readings(network, token), (found) =>
    Result.match(findAgreedReading(found), {
      onSuccess: () => undefined,
      onFailure: ({ reason }) => `${token.symbol}: ${reason}`
    }))

/** Returns why the prices of a pair are not confirmed by a second source. */
export const disagreement = (
  prices: Prices["Service"],
  network: Network,
  { base, quote }: Pick<OrderTerms, "base" | "quote">
): Effect.Effect<string | undefined, Failure> =>
  Effect.map(
    Effect.all([contradiction(prices, network, base), contradiction(prices, network, quote)], {
      concurrency: "unbounded"
    }),
    (found) => found.find((reason) => reason !== undefined)
  )
