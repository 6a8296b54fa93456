/**
 * Swaps through 1inch's router without its API: `unoswap` over one pool of Uniswap V3, `unoswap2` over two. The pools
 * are found on the chain and quoted by Uniswap's quoter; no key is needed.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseAbi } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import * as AggregatorCalldata from "./AggregatorCalldata.ts"
import { AggregatorClient } from "./AggregatorClient.ts"
import { NoQuote } from "./NoQuote.ts"
import * as OneInchCalldata from "./OneInchCalldata.ts"
import * as PathQuote from "./PathQuote.ts"
import * as UniswapV3Path from "./UniswapV3Path.ts"
import type { Quote, QuoteRequest, Venue } from "./Venue.ts"

const factoryAbi = parseAbi([
  "function getPool(address tokenA, address tokenB, uint24 fee) view returns (address pool)"
])

/** Fails with `closed` where there is no Uniswap V3, and while the operator has banned these swaps. */
export const open = (
  chain: ChainClient,
  wallet: Address,
  closed: NoQuote
): Effect.Effect<void, NoQuote, AggregatorClient> =>
  chain.book.uniswapV3 === undefined
    ? closed
    : Effect.flatMap(AggregatorClient, ({ refuseBanned }) => refuseBanned("unoswap", chain.book, wallet))

/** A path and its pools. */
interface Candidate {
  readonly path: UniswapV3Path.Path
  readonly pools: ReadonlyArray<UniswapV3Path.PoolHop>
}

/**
 * Returns the candidate that pays most. A path counts only if the factory has each of its pools at the address that is
 * computed here: the guard and the router accept no other pool, and no node's answer gets into the calldata.
 */
const best = ({ amountIn, chain, tokenIn }: QuoteRequest, deployment: Deployment, found: ReadonlyArray<Candidate>) =>
  Effect.gen(function*() {
    const pools = [...new Map(found.flatMap((each) => each.pools).map((hop) => [hop.pool, hop])).values()]
    const [quotes, answers] = yield* Effect.mapError(
      readGroups(chain, [
        found.map(({ path }) =>
          PathQuote.read(deployment.quoter, UniswapV3Path.encode(tokenIn.address, path), amountIn)
        ),
        pools.map(({ bought, fee, sold }) =>
          Contract.read(factoryAbi, deployment.factory, "getPool", [sold, bought, fee])
        )
      ]),
      PathQuote.unreadable
    )
    const canonical = new Set(pools.flatMap(({ pool }, index) => {
      const answer = answers[index]
      return answer !== undefined && Result.isSuccess(answer) && Contract.lower(answer.success) === pool ? [pool] : []
    }))
    const usable = found.map(({ pools }, index) =>
      pools.every(({ pool }) => canonical.has(pool)) ? quotes[index]! : Result.fail("no pool")
    )
    return yield* PathQuote.bestOf(found, usable)
  })

type Deployment = NonNullable<ChainClient["book"]["uniswapV3"]>

/** Quotes the best path through one or two pools. */
export const quote = (
  request: QuoteRequest,
  venue: Pick<Venue, "name" | "decode">,
  router: Address
): Effect.Effect<Quote, NoQuote | ExecutionFailure, AggregatorClient> =>
  Effect.gen(function*() {
    const { amountIn, chain, tokenIn, wallet } = request
    const deployment = chain.book.uniswapV3
    if (deployment === undefined) return yield* new NoQuote({ reason: "Uniswap V3 is not deployed on this network" })
    yield* (yield* AggregatorClient).refuseBanned("unoswap", chain.book, wallet)
    const candidates = UniswapV3Path.candidates(request).map((path) => ({
      path,
      pools: UniswapV3Path.poolsOf(deployment.factory, tokenIn.address, path)
    }))
    const { amountOut, path: { path, pools } } = yield* best(request, deployment, candidates)
    const legs = pools.map(({ bought, pool, sold }) => OneInchCalldata.legOf(pool, sold < bought))
    const tokensOf = (address: Address) => {
      const hop = pools.find(({ pool }) => pool === address)
      if (hop === undefined) return undefined
      return hop.sold < hop.bought ? [hop.sold, hop.bought] as const : [hop.bought, hop.sold] as const
    }
    return {
      router,
      amountOut,
      route: UniswapV3Path.routeOf(tokenIn, path),
      build: (minOut) => {
        const data = OneInchCalldata.encodeUnoswap(tokenIn.address, amountIn, minOut, legs)
        return AggregatorCalldata.verify({
          request,
          venue,
          router,
          handout: { to: router, data, value: 0n },
          draft: OneInchCalldata.draftOf(data),
          bought: OneInchCalldata.outputOf(tokenIn.address, OneInchCalldata.legsOf(data), tokensOf),
          minOut
        })
      }
    }
  })
