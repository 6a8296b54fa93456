/** Moves the prices of a test chain: the oracle's, and those of the pools. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Market from "@vault-trader/devnet/contract/Market"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as ChainState from "../test-chain/ChainState.ts"
import type { TestChain } from "../test-chain/TestChain.ts"

const usdOf = (world: ChainState.World, token: Address): number =>
  Number(Option.match(HashMap.get(world.platform.assets, token), { onNone: () => 0n, onSome: ({ price }) => price })) /
  1e18

const decimalsOf = (world: ChainState.World, token: Address): number => {
  const contract = ChainState.contractAt(world, token)
  return contract?._tag === "Token" ? contract.decimals : 18
}

/** Sets a pool's reserves to the oracle's prices, at an unchanged product. */
const align = (chain: TestChain, { base, fee, quote }: Market.PoolFacts) =>
  Effect.gen(function*() {
    const world = yield* chain.world
    const [baseToken, quoteToken] = [chain.token(base), chain.token(quote)]
    const pair = ChainState.pairOf(world, baseToken, quoteToken, fee)
    if (pair === undefined) return
    const whole = (reserve: bigint, token: Address) => Number(reserve) / 10 ** decimalsOf(world, token)
    const product = whole(pair.reserve0, pair.token0) * whole(pair.reserve1, pair.token1)
    const price = usdOf(world, baseToken) / usdOf(world, quoteToken)
    const baseReserve = Math.max(1, Math.round(Math.sqrt(product / price)))
    yield* chain.setPool({
      ...{ base, quote, fee },
      baseReserve: BigInt(baseReserve),
      quoteReserve: BigInt(Math.max(1, Math.round(baseReserve * price)))
    })
  })

/** Returns the price of a token's inverse: their product stays what it was at the start. */
const inverseUsd = (chain: TestChain, symbol: string, inverse: string, usd: number): number => {
  const initial = (name: string) =>
    Number(Market.tokens(chain.network).find((token) => token.symbol === name)?.price ?? 0n) / 1e8
  return initial(symbol) * initial(inverse) / usd
}

/** Sets a token's price in USD, its inverse's price, and every pool of the two. */
export const setPrice = (chain: TestChain, symbol: string, usd: number): Effect.Effect<void> =>
  Effect.gen(function*() {
    const inverse = Market.inverses[symbol]
    yield* chain.setPrice(symbol, usd)
    if (inverse !== undefined) yield* chain.setPrice(inverse, inverseUsd(chain, symbol, inverse, usd))
    const moved = new Set([symbol, inverse])
    for (const pool of Market.pools(chain.network)) {
      if (moved.has(pool.base) || moved.has(pool.quote)) yield* align(chain, pool)
    }
  })
